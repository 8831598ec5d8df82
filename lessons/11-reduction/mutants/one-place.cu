// All warps add their sums to one word.
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float total;
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (t == 0)
        total = 0.0f;
    __syncthreads();
    if (t % 32 == 0)
        total += sum;
    __syncthreads();
    if (t == 0)
        out[row] = total;
}
