// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: an mbarrier in PTX in place of __syncthreads
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    __shared__ alignas(8) unsigned long long met;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&met);
    int tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(bar) : "memory");
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        if (blockIdx.y * 32 + ty + j < height && blockIdx.x * 32 + tx < width)
            tile[ty + j][tx] = in[(blockIdx.y * 32 + ty + j) * width + blockIdx.x * 32 + tx];
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    unsigned done;
    do
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "l"(state) : "memory");
    while (!done);
    for (int j = 0; j < 32; j += 8)
        if (blockIdx.x * 32 + ty + j < width && blockIdx.y * 32 + tx < height)
            out[(blockIdx.x * 32 + ty + j) * height + blockIdx.y * 32 + tx] = tile[tx][ty + j];
}
