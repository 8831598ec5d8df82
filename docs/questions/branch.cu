// A barrier that half of the block never reaches. -D FIXED takes it out of the branch.
__device__ float out[64];

__global__ void branch()
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = out[t];
#ifdef FIXED
    __syncthreads();
    if (t < 32)
        out[t] = s[63 - t];
#else
    if (t < 32) {
        __syncthreads();
        out[t] = s[63 - t];
    }
#endif
}
