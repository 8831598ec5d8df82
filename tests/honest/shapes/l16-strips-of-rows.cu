// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: each warp has 32 rows and all 64 columns, places are byte addresses with bits 4 to 6 exchanged by bits 7 to 9, b comes by ldmatrix.x4 as well
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

typedef unsigned int u32;

__device__ __forceinline__ void ldsm4(u32 (&r)[4], u32 at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}

__device__ __forceinline__ void ldsm4_turned(u32 (&r)[4], u32 at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}

__device__ __forceinline__ void mma(float (&d)[4], const u32 (&x)[4], u32 y0, u32 y1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1));
}

// Byte `at` of a tile with rows of 128 bytes, if the tile begins at a multiple of 1024.
__host__ __device__ constexpr u32 swizzled(u32 at) { return at ^ (at >> 3 & 0x70); }

// Eight halves, of which the first `have` exist.
__device__ __forceinline__ uint4 eight(const __half *from, int have, bool wide)
{
    uint4 v = {0, 0, 0, 0};
    if (wide) {
        if (have > 0)
            v = *reinterpret_cast<const uint4 *>(from);
        return v;
    }
    const unsigned short *bits = reinterpret_cast<const unsigned short *>(from);
    u32 w[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        w[j] = j < have ? bits[j] : 0;
    v.x = w[0] | w[1] << 16;
    v.y = w[2] | w[3] << 16;
    v.z = w[4] | w[5] << 16;
    v.w = w[6] | w[7] << 16;
    return v;
}

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    constexpr u32 A = 0, B = 128 * 128;  // bytes: 128 rows of a, 64 of b
    __shared__ __align__(1024) unsigned char memory[(128 + 64) * 128];

    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const u32 base = static_cast<u32>(__cvta_generic_to_shared(memory));

    // What lanes name: row lane % 16, and the left or the right one of two chunks. The key is
    // lane % 8 for all of them, since everything else that is added to the row is a multiple of 8.
    const u32 key = (lane & 7) << 4, half = (lane >> 4) << 4;
    const u32 from_a = base + A + (warp * 32 + lane % 16) * 128, from_b = base + B + lane % 16 * 128;

    float sum[2][8][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int e = t + 128 * j, r = e >> 3, q = e & 7;
            *reinterpret_cast<uint4 *>(memory + A + swizzled(e * 16)) =
                eight(a + (row0 + r) * k + k0 + q * 8, row0 + r < m ? k - k0 - q * 8 : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int e = t + 128 * j, r = e >> 3, q = e & 7;
            *reinterpret_cast<uint4 *>(memory + B + swizzled(e * 16)) =
                eight(b + (k0 + r) * n + column0 + q * 8, k0 + r < k ? n - column0 - q * 8 : 0, n % 8 == 0);
        }
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            u32 x[2][4];
#pragma unroll
            for (int p = 0; p < 2; p++)
                ldsm4(x[p], from_a + p * 16 * 128 + ((step * 32 | half) ^ key));
#pragma unroll
            for (int q = 0; q < 4; q++) {  // 16 columns: two chunks
                u32 y[4];
                ldsm4_turned(y, from_b + step * 16 * 128 + ((q * 32 | half) ^ key));
#pragma unroll
                for (int p = 0; p < 2; p++) {
                    mma(sum[p][2 * q], x[p], y[0], y[1]);
                    mma(sum[p][2 * q + 1], x[p], y[2], y[3]);
                }
            }
        }
        __syncthreads();
    }

    const bool pairs = n % 2 == 0;  // rows of c begin at multiples of 8 bytes
#pragma unroll
    for (int p = 0; p < 2; p++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = row0 + warp * 32 + p * 16 + h * 8 + lane / 4;
            if (row < m)
#pragma unroll
                for (int q = 0; q < 8; q++) {
                    const int column = column0 + q * 8 + lane % 4 * 2;
                    float *to = c + row * n + column;
                    if (pairs && column < n)
                        *reinterpret_cast<float2 *>(to) = make_float2(sum[p][q][2 * h], sum[p][q][2 * h + 1]);
                    if (!pairs && column < n)
                        to[0] = sum[p][q][2 * h];
                    if (!pairs && column + 1 < n)
                        to[1] = sum[p][q][2 * h + 1];
                }
        }
}
