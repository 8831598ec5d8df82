// lesson 16; device sim,gpu; nvcc; want: full; tries: mma.m16n8k8 twice for each m16n8k16, a union of quad and halves, one fill loop for both tiles
#include <cuda_fp16.h>
LAUNCH(128, 1, 64, 128)
union Chunk { uint4 q; ushort2 h2[4]; unsigned short s[8]; };
static __device__ __forceinline__ Chunk take(const __half *p, int have, bool vec)
{
    Chunk u;
    u.q = make_uint4(0u, 0u, 0u, 0u);
    if (vec) { if (have > 0) u.q = *reinterpret_cast<const uint4 *>(p); return u; }
    const unsigned short *s = reinterpret_cast<const unsigned short *>(p);
#pragma unroll
    for (int j = 0; j < 8; j++) if (j < have) u.s[j] = s[j];
    return u;
}
#define SH(p) ((unsigned)__cvta_generic_to_shared(p))
#define K8(d, a0, a1, b0) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
    : "+f"((d)[0]), "+f"((d)[1]), "+f"((d)[2]), "+f"((d)[3]) : "r"(a0), "r"(a1), "r"(b0))
__global__ void __launch_bounds__(128) matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(16) Chunk as[128 * 8], bs[64 * 8];
    const int id = threadIdx.x, lane = id % 32, warp = id / 32, r0 = blockIdx.y * 128, c0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 4;
    float s[4][4][4];
#pragma unroll
    for (int e = 0; e < 64; e++) (&s[0][0][0])[e] = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 64) {
        Chunk h[4];
#pragma unroll
        for (int half = 0; half < 3; half++) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int e = id + (half % 2 * 4 + j) * 128, r = e / 8, q = e % 8;
                h[j] = half < 2 ? take(a + (size_t)(r0 + r) * k + k0 + q * 8, r0 + r < m ? k - k0 - q * 8 : 0, k % 8 == 0)
                                : take(b + (size_t)(k0 + r) * n + c0 + q * 8, k0 + r < k ? n - c0 - q * 8 : 0, n % 8 == 0);
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int e = id + (half % 2 * 4 + j) * 128, r = e / 8, q = e % 8;
                (half < 2 ? as : bs)[r * 8 + (q ^ (r & 7))].q = h[j].q;
            }
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
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(y[p][0]), "=r"(y[p][1]) : "r"(SH(&bs[r * 8 + (q ^ (r & 7))])) : "memory");
            }
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) {
                    K8(s[p][q], x[p][0], x[p][1], y[q][0]);
                    K8(s[p][q], x[p][2], x[p][3], y[q][1]);
                }
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                int r = r0 + y0 + p * 16 + e * 4 + lane / 4, w = c0 + (x0 + q) * 8 + lane % 4 * 2;
                if (r < m && w < n) {
                    float *o = &c[(size_t)r * n + w];
                    if (n & 1) {
                        o[0] = s[p][q][e];
                        if (w + 1 < n) o[1] = s[p][q][e + 1];
                    } else
                        *reinterpret_cast<float2 *>(o) = make_float2(s[p][q][e], s[p][q][e + 1]);
                }
            }
}
