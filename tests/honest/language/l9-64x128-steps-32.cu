// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 64 x 128 tiles, 128 threads, two places of 32 along k in 48 KB, macros and pointers
#include <cuda_pipeline.h>
LAUNCH(16, 8, 128, 64)
#define QUAD(to, from, at, have, vec)                                                           \
    do {                                                                                        \
        if (vec)                                                                                \
            __pipeline_memcpy_async(to, (from) + ((have) > 0 ? (at) : 0), 16, (have) > 0 ? 0 : 16); \
        else                                                                                    \
            for (int j_ = 0; j_ < 4; j_++)                                                      \
                __pipeline_memcpy_async((float *)(to) + j_, (from) + (j_ < (have) ? (at) + j_ : 0), 4, j_ < (have) ? 0 : 4); \
    } while (0)
#define FETCH(t)                                                                                \
    do {                                                                                        \
        float4 *pa_ = sa + ((t) & 1) * 512, *pb_ = sb + ((t) & 1) * 1024;                       \
        _Pragma("unroll") for (int e = id; e < 512; e += 128) {                                 \
            int r = e >> 3, i = (t) * 32 + (e & 7) * 4;                                         \
            QUAD(pa_ + e, a, (r0 + r) * k + i, r0 + r < m ? k - i : 0, k % 4 == 0);             \
        }                                                                                       \
        _Pragma("unroll") for (int e = id; e < 1024; e += 128) {                                \
            int h = (t) * 32 + (e >> 5), q = c0 + (e & 31) * 4;                                 \
            QUAD(pb_ + e, b, h * n + q, h < k ? n - q : 0, n % 4 == 0);                         \
        }                                                                                       \
        __pipeline_commit();                                                                    \
    } while (0)
__global__ void __launch_bounds__(128) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 sa[2 * 64 * 8], sb[2 * 32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, r0 = blockIdx.y * 64, c0 = blockIdx.x * 128;
    const int steps = (k + 31) / 32;
    float s[8][8] = {};
    FETCH(0);
    for (int t = 0; t < steps; t++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (t + 1 < steps) FETCH(t + 1);
        const float4 *xa = sa + (t & 1) * 512 + ty * 8, *yb = sb + (t & 1) * 1024 + tx;
#pragma unroll 2
        for (int g = 0; g < 8; g++, xa++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++) x[p] = xa[p * 64];  // rows ty + 8 p
#define LINE(f)                                                                                \
            {                                                                                  \
                float4 u = yb[0], v = yb[16];                                                  \
                yb += 32;                                                                      \
                _Pragma("unroll") for (int p = 0; p < 8; p++) {                                \
                    s[p][0] += x[p].f * u.x; s[p][1] += x[p].f * u.y; s[p][2] += x[p].f * u.z; s[p][3] += x[p].f * u.w; \
                    s[p][4] += x[p].f * v.x; s[p][5] += x[p].f * v.y; s[p][6] += x[p].f * v.z; s[p][7] += x[p].f * v.w; \
                }                                                                              \
            }
            LINE(x) LINE(y) LINE(z) LINE(w)
        }
    }
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int r = r0 + ty + 8 * p, w = c0 + q / 4 * 64 + tx * 4 + q % 4;
            if (r < m && w < n) c[r * n + w] = s[p][q];
        }
}
