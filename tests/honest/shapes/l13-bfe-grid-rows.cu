// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: bfe.u32 by asm, red.shared.add by asm, 16-byte loads through ld.global.nc.v4, 32 x 16 threads
LAUNCH(32, 16, 1, 1)
__device__ __forceinline__ void bump(unsigned base, unsigned word, unsigned at, unsigned shift)
{
    asm volatile("{\n\t.reg .u32 v;\n\tbfe.u32 v, %1, %2, 8;\n\tshr.u32 v, v, %3;\n\tmad.lo.u32 v, v, 4, %0;\n\t"
                 "red.shared.add.u32 [v], 1;\n\t}" ::"r"(base), "r"(word), "r"(at), "r"(shift) : "memory");
}
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned h[256];
    const unsigned base = (unsigned)__cvta_generic_to_shared(h);
    const int t = threadIdx.x + 32 * threadIdx.y;
    if (t < 256) h[t] = 0u;
    __syncthreads();
    const unsigned char *p = in + (size_t)blockIdx.x * cols;
    if (cols % 16) {
        for (int i = t; i < cols; i += 512) bump(base, p[i], 0, shift);
    } else {
        for (int i = t; i < cols / 16; i += 512) {
            unsigned w[4];
            asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "l"(p + (size_t)i * 16));
#pragma unroll
            for (int j = 0; j < 16; j++) bump(base, w[j >> 2], (j & 3) * 8, shift);
        }
    }
    __syncthreads();
    if (t < 256) out[blockIdx.x * 256 + t] = h[t];
}
