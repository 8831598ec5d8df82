// Warp 0 writes its own sum as that of the row.
LAUNCH(256, 1, 1, 1)

__device__ float warp_sum(float sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;  // lane 0 has it
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    sum = warp_sum(sum);
    if (t == 0)
        out[row] = sum;
}
