// One warp, one exchange through shared memory. -D FIXED puts the missing __syncwarp() in.
__device__ float out[32];

__global__ void exchange()
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = out[t];
#ifdef FIXED
    __syncwarp();
#endif
    out[t] = s[31 - t];
}
