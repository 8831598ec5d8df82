// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: shuffles, then an atomic a warp on one shared float
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        sum += in[(size_t)blockIdx.x * cols + i];
    for (int s = 16; s; s >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}
