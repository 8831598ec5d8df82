// The last warp of a sum as old samples have it. -D FIXED reads, waits, adds, waits.
__device__ float out[64];

__global__ void last_warp()
{
#ifdef FIXED
    __shared__ float s[64];
#else
    __shared__ volatile float s[64];
#endif
    int t = threadIdx.x;
    s[t] = out[t];
    s[t + 32] = out[t + 32];
    __syncwarp();
    for (int d = 32; d > 0; d /= 2) {
#ifdef FIXED
        float other = s[t + d];
        __syncwarp();
        if (t < d)
            s[t] += other;
        __syncwarp();
#else
        s[t] += s[t + d];
#endif
    }
    if (t == 0)
        out[0] = s[0];
}
