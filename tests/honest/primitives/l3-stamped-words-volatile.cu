// lesson 3; device sim; nvcc,clang; want: full; tries: value and stamp are one volatile word of 64 bits that each reader waits for: who sees the stamp has the value, whatever else is ordered
LAUNCH(32, 8, 32, 32)

__device__ float taken(volatile unsigned long long *from)
{
    unsigned long long v;
    while (!((v = *from) >> 32))
        ;
    return __int_as_float((int)v);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ unsigned long long tile[32][33];
    int t = threadIdx.y * 32 + threadIdx.x;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int e = t; e < 32 * 33; e += 256)
        tile[e / 33][e % 33] = 0;
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        if (y + r < height && x < width)
            ((volatile unsigned long long *)tile)[r * 33 + threadIdx.x] = 1ull << 32 | (unsigned)__float_as_int(in[(size_t)(y + r) * width + x]);
    
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (oy + r < width && ox < height)
            out[(size_t)(oy + r) * height + ox] = taken((volatile unsigned long long *)tile + threadIdx.x * 33 + r);
}
