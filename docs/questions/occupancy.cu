// A block and its tile. The launch says how many threads and how many bytes.
extern __shared__ float tile[];
__device__ float in[16384], out[132][1024];

__global__ void occupancy(int n)
{
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    out[blockIdx.x][t] = tile[n - 1 - t];
}
