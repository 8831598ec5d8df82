// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: two rows a block, each half with a named barrier of its own
#include <cstdint>
LAUNCH(256, 1, 2, 1)
__device__ void meet(int half) { asm volatile("bar.sync %0, 128;" ::"r"(half + 1) : "memory"); }
__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[2][256];
    const int half = threadIdx.x >> 7, t = threadIdx.x & 127, row = blockIdx.x * 2 + half;
    if (row >= rows) return;
    bins[half][t] = bins[half][t + 128] = 0;
    meet(half);
    const unsigned char *p = in + (size_t)row * cols;
    if ((reinterpret_cast<uintptr_t>(p) & 15) == 0) {
        const int4 *w = reinterpret_cast<const int4 *>(p);
        for (int i = t; i < cols / 16; i += 128) {
            int4 v = w[i];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned u = (&v.x)[j];
#pragma unroll
                for (int b = 0; b < 4; b++, u >>= 8) atomicAdd(&bins[half][(u & 255) >> shift], 1u);
            }
        }
        for (int i = cols / 16 * 16 + t; i < cols; i += 128) atomicAdd(&bins[half][p[i] >> shift], 1u);
    } else
        for (int i = t; i < cols; i += 128) atomicAdd(&bins[half][p[i] >> shift], 1u);
    meet(half);
    for (int v = t; v < 256; v += 128) out[row * 256 + v] = bins[half][v];
}
