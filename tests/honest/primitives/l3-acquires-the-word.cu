// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: warps hand their rows over by release and acquire of the word that says so
LAUNCH(32, 8, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
__device__ unsigned relaxed(unsigned *p)
{
    unsigned v;
    asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(v) : "r"(AT(p)) : "memory");
    return v;
}
__device__ unsigned acquire(unsigned *p)
{
    unsigned v;
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(v) : "r"(AT(p)) : "memory");
    return v;
}
__device__ void count_up(unsigned *p)
{
    asm volatile("red.release.cta.shared.add.u32 [%0], 1;" :: "r"(AT(p)) : "memory");
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ unsigned arrived, other;
    if (threadIdx.x + threadIdx.y == 0)
        arrived = other = 0;
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncwarp();
    if (threadIdx.x == 0)
        count_up(&arrived);
    while (relaxed(&arrived) < 8) {
    }
    acquire(&arrived);  // everything from before is visible now
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (ox < height && oy + j < width)
            out[(oy + j) * height + ox] = tile[threadIdx.x][threadIdx.y + j];
}
