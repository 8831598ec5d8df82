// Dynamic shared memory: how much of it, the launch says.
extern __shared__ float buffer[];
__device__ float out[132][256];

__global__ void big(int n)
{
    int t = threadIdx.x;
    for (int i = t; i < n; i += 256)
        buffer[i] = i;
    __syncthreads();
    out[blockIdx.x][t] = buffer[n - 1 - t];
}
