// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: tile classes with byte addresses, cp.async fill with zeros, b by ldmatrix.x4.trans in pairs
#include <cuda_fp16.h>
LAUNCH(32, 4, 64, 128)
struct Tile {
    unsigned base;
    __device__ explicit Tile(const void *p) : base((unsigned)__cvta_generic_to_shared(p)) {}
    __device__ unsigned row(int r, int q) const { return base + r * 128 + ((q * 16) ^ ((r & 7) * 16)); }
    __device__ void fill(int r, int q, const __half *mat, size_t at, int have, bool vec) const
    {
        unsigned to = row(r, q);
        if (vec) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(have > 0 ? mat + at : mat), "r"(have > 0 ? 16 : 0) : "memory");
            return;
        }
        unsigned w[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            unsigned lo = 2 * j < have ? ((const unsigned short *)mat)[at + 2 * j] : 0, hi = 2 * j + 1 < have ? ((const unsigned short *)mat)[at + 2 * j + 1] : 0;
            w[j] = lo | hi << 16;
        }
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]) : "memory");
    }
};
struct Frag4 {
    unsigned v[4];
    __device__ void load(unsigned at) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at) : "memory"); }
    __device__ void turn(unsigned at) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(at) : "memory"); }
};
struct Acc {
    float v[4] = {};
    __device__ void mma(const Frag4 &x, unsigned y0, unsigned y1)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3]) : "r"(x.v[0]), "r"(x.v[1]), "r"(x.v[2]), "r"(x.v[3]), "r"(y0), "r"(y1));
    }
};
__global__ void __launch_bounds__(128) matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(128) unsigned char sa[16384], sb[8192];
    const Tile ta(sa), tb(sb);
    const int lane = threadIdx.x, warp = threadIdx.y, id = warp * 32 + lane;
    const int r0 = blockIdx.y * 128, c0 = blockIdx.x * 64, y0 = (warp & 1) * 64, x0 = (warp >> 1) * 32;
    Acc s[4][4];
    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int e = id; e < 1024; e += 128) {
            int r = e >> 3, q = e & 7, i = k0 + q * 8;
            ta.fill(r, q, a, (size_t)(r0 + r) * k + i, r0 + r < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int e = id; e < 512; e += 128) {
            int r = e >> 3, q = e & 7, w = c0 + q * 8;
            tb.fill(r, q, b, (size_t)(k0 + r) * n + w, k0 + r < k ? n - w : 0, n % 8 == 0);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
#pragma unroll
        for (int g = 0; g < 4; g++) {
            Frag4 x[4], y[2];
#pragma unroll
            for (int p = 0; p < 4; p++) x[p].load(ta.row(y0 + p * 16 + (lane & 15), g * 2 + (lane >> 4)));
#pragma unroll
            for (int p = 0; p < 2; p++) y[p].turn(tb.row(g * 16 + (lane & 15), x0 / 8 + p * 2 + (lane >> 4)));
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) s[p][q].mma(x[p], y[q / 2].v[q % 2 * 2], y[q / 2].v[q % 2 * 2 + 1]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int r = r0 + y0 + p * 16 + h * 8 + lane / 4, w = c0 + x0 + q * 8 + lane % 4 * 2;
                if (r >= m || w >= n) continue;
                float *o = c + (size_t)r * n + w;
                if (n % 2 == 0) *(float2 *)o = make_float2(s[p][q].v[2 * h], s[p][q].v[2 * h + 1]);
                else {
                    o[0] = s[p][q].v[2 * h];
                    if (w + 1 < n) o[1] = s[p][q].v[2 * h + 1];
                }
            }
}
