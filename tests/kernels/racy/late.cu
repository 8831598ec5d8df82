// Long blocks of which one late step leaves something out. No sample of phases is sure to have it.
//: late_no_barrier 1 64: race w r
__global__ void late_no_barrier(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int step = 0; step < 4096; step++) {
        tile[t] = in[t] + step; // @w
        __syncthreads();
        sum += tile[63 - t]; // @r
        if (step != 3500)
            __syncthreads();
    }
    out[t] = sum;
}

//: late_no_syncwarp 1 64: warp-race v s
__global__ void late_no_syncwarp(const int *in, int *out)
{
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int step = 0; step < 4096; step++) {
        tile[t] = in[t] + step; // @v
        if (step < 3500)
            __syncwarp();
        sum += tile[t ^ 1]; // @s
        __syncthreads();
    }
    out[t] = sum;
}
