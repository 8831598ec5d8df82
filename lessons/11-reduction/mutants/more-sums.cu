// Adds 32 sums of 8 warps.
LAUNCH(256, 1, 1, 1)

__device__ float warp_sum(float sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[32];
    int t = threadIdx.x, row = blockIdx.x, warps = blockDim.x / 32;

    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];

    sum = warp_sum(sum);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = warp_sum(part[t]);
        if (t == 0)
            out[row] = sum;
    }
}
