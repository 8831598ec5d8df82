// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: barrier.cta.red.popc counts who brought something; a full tile goes out unguarded
LAUNCH(1024, 1, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    const unsigned t = threadIdx.x, lo = t & 31, hi = t >> 5;
    const unsigned C = blockIdx.x * 32, R = blockIdx.y * 32;
    const int have = (R + hi < (unsigned)height) & (C + lo < (unsigned)width);
    if (have) tile[t] = in[(R + hi) * width + C + lo];
    unsigned brought;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\t"
                 "barrier.cta.red.popc.aligned.u32 %0, 0, p;\n\t}" : "=r"(brought) : "r"(have) : "memory");
    float *o = out + (C + hi) * height + R + lo;
    if (brought == 1024u)
        *o = tile[lo << 5 | hi];
    else if (C + hi < (unsigned)width && R + lo < (unsigned)height)
        *o = tile[lo << 5 | hi];
}
