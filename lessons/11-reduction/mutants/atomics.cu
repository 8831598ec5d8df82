// All threads add to one word.
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[1];
    int t = threadIdx.x, row = blockIdx.x;

    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];

    if (t == 0)
        part[0] = 0.0f;
    __syncthreads();
    atomicAdd(&part[0], sum);
    __syncthreads();
    if (t == 0)
        out[row] = part[0];
}
