// One column of a tile by one warp: what the counters of a load say.
__device__ float out[32];

__global__ void column()
{
    __shared__ float tile[32][32];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++)
        tile[i][t] = i;
    __syncthreads();
    out[t] = tile[t][3];
}
