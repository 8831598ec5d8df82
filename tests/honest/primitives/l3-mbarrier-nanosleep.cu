// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: mbarrier by hand, test_wait in a labelled loop with nanosleep between
LAUNCH(32, 16, 32, 32)
static __device__ __forceinline__ unsigned s32(const void *p)
{
    unsigned r;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(r) : "l"(p));
    return r;
}
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = s32(&bar);
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(512u) : "memory");
    __syncthreads();
    for (int j = 0; j < 2; j++) {
        int y = threadIdx.y + 16 * j, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + threadIdx.x;
        if (row < height && col < width) tile[y][threadIdx.x] = in[row * width + col];
    }
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    asm volatile("{\n\t.reg .pred p;\n"
                 "again:\n\t"
                 "mbarrier.test_wait.shared.b64 p, [%0], %1;\n\t"
                 "@p bra over;\n\t"
                 "nanosleep.u32 20;\n\t"
                 "bra again;\n"
                 "over:\n\t}" ::"r"(b), "l"(state) : "memory");
    for (int j = 0; j < 2; j++) {
        int x = threadIdx.y + 16 * j, row = blockIdx.x * 32 + x, col = blockIdx.y * 32 + threadIdx.x;
        if (row < width && col < height) out[row * height + col] = tile[threadIdx.x][x];
    }
}
