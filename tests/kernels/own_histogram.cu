// A histogram of bytes: atomics on shared memory, then one atomic for each bin on global memory.
__global__ void histogram(unsigned *bins, const unsigned char *data, int n)
{
    __shared__ unsigned count[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        count[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[data[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&bins[i], count[i]);
}
