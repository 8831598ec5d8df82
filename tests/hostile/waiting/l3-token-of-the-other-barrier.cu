// lesson 3; device sim; nvcc,clang; want: fail; tries: waits at one mbarrier with the token that an arrival at another one gave: PTX takes only what an arrival at the same object returned, all else is undefined
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ unsigned long long bar[2];
    int t = threadIdx.y * 32 + threadIdx.x;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    unsigned at = (unsigned)__cvta_generic_to_shared(bar);
    if (t < 2)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" :: "r"(at + t * 8) : "memory");
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        if (y + r < height && x < width)
            tile[r][threadIdx.x] = in[(size_t)(y + r) * width + x];
    unsigned long long mine, other;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(other) : "r"(at + 8) : "memory");
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(mine) : "r"(at) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(at), "l"(other) : "memory");
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        if (oy + r < width && ox < height)
            out[(size_t)(oy + r) * height + ox] = tile[threadIdx.x][r];
}
