// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: b by ldmatrix without .trans, turned afterwards by movmatrix
#include <cuda_fp16.h>
LAUNCH(128, 1, 64, 128)
#define SH(p) ((unsigned)__cvta_generic_to_shared(p))
struct Q { unsigned w[4]; };
static __device__ Q take(const __half *p, int have, bool vec)
{
    Q u = {};
    const unsigned short *s = reinterpret_cast<const unsigned short *>(p);
    if (vec) { if (have > 0) { uint4 v = *reinterpret_cast<const uint4 *>(p); u.w[0] = v.x; u.w[1] = v.y; u.w[2] = v.z; u.w[3] = v.w; } return u; }
#pragma unroll
    for (int j = 0; j < 8; j++) if (j < have) u.w[j >> 1] |= (unsigned)s[j] << (j & 1) * 16;
    return u;
}
__global__ void __launch_bounds__(128) matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ uint4 as[128 * 8], bs[64 * 8];
    const int id = threadIdx.x, lane = id % 32, warp = id / 32, r0 = blockIdx.y * 128, c0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 4;
    float s[4][4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int e = id; e < 1024; e += 128) {
            int r = e / 8, q = e % 8;
            Q h = take(a + (size_t)(r0 + r) * k + k0 + q * 8, r0 + r < m ? k - k0 - q * 8 : 0, k % 8 == 0);
            as[r * 8 + (q ^ (r & 7))] = make_uint4(h.w[0], h.w[1], h.w[2], h.w[3]);
        }
#pragma unroll
        for (int e = id; e < 512; e += 128) {
            int r = e / 8, q = e % 8;
            Q h = take(b + (size_t)(k0 + r) * n + c0 + q * 8, k0 + r < k ? n - c0 - q * 8 : 0, n % 8 == 0);
            bs[r * 8 + (q ^ (r & 7))] = make_uint4(h.w[0], h.w[1], h.w[2], h.w[3]);
        }
        __syncthreads();
#pragma unroll
        for (int g = 0; g < 4; g++) {
            unsigned x[4][4], y[4][2];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                int r = y0 + p * 16 + (lane & 15), q = g * 2 + (lane >> 4);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[p][0]), "=r"(x[p][1]), "=r"(x[p][2]), "=r"(x[p][3]) : "r"(SH(&as[r * 8 + (q ^ (r & 7))])) : "memory");
            }
#pragma unroll
            for (int p = 0; p < 4; p++) {
                int r = g * 16 + (lane & 15), q = x0 + p;
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(y[p][0]), "=r"(y[p][1]) : "r"(SH(&bs[r * 8 + (q ^ (r & 7))])) : "memory");
                asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;\n\tmovmatrix.sync.aligned.m8n8.trans.b16 %1, %1;" : "+r"(y[p][0]), "+r"(y[p][1]));
            }
#pragma unroll
            for (int e = 0; e < 16; e++) {
                float *d = s[e / 4][e % 4];
                const unsigned *u = x[e / 4], *v = y[e % 4];
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(v[0]), "r"(v[1]));
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 32; i++) {
        int p = i >> 3, q = i >> 1 & 3, e = (i & 1) * 2;
        int r = r0 + y0 + p * 16 + e * 4 + lane / 4, w = c0 + (x0 + q) * 8 + lane % 4 * 2;
        if (r >= m || w >= n) continue;
        float *o = &c[(size_t)r * n + w];
        if (n % 2 == 0) *reinterpret_cast<float2 *>(o) = make_float2(s[p][q][e], s[p][q][e + 1]);
        else { o[0] = s[p][q][e]; if (w + 1 < n) o[1] = s[p][q][e + 1]; }
    }
}
