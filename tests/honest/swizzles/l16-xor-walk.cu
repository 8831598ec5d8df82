// lesson 16; device sim,gpu; nvcc,clang; want: pass; tries: shared addresses are computed once and walk along k by one XOR (the swizzle turns "+ 32 bytes" into "^ 32 bytes"); in the end neighbouring lanes swap pairs by shuffles, so that each stores 16 bytes of one row
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

template <bool TRANS>
__device__ __forceinline__ void ptx_ldmatrix4(unsigned (&to)[4], unsigned address)
{
    if (TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
}

__device__ __forceinline__ void ptx_mma(float (&sum)[4], const unsigned (&x)[4], unsigned y0, unsigned y1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1));
}

__device__ __forceinline__ void ptx_store_shared(unsigned address, uint4 v)
{
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" :: "r"(address), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

__device__ uint4 load8(const __half *from, int have, bool aligned)
{
    if (aligned)
        return have > 0 ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
    unsigned word[4] = {};
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (j < have)
            word[j / 2] |= (unsigned)((const unsigned short *)from)[j] << j % 2 * 16;
    return make_uint4(word[0], word[1], word[2], word[3]);
}

// Byte offset of chunk q of row r: rows of 128 bytes, and bits 4-6 XORed with bits 7-9.
__device__ __forceinline__ unsigned offset(int r, int q) { return r * 128 + ((q ^ (r & 7)) << 4); }

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(1024) uint4 tiles[(128 + 64) * 8];
    const unsigned a_tile = (unsigned)__cvta_generic_to_shared(tiles), b_tile = a_tile + 128 * 128;

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp >> 1) * 64, x0 = (warp & 1) * 32;

    // Filling: row id / 8 and every 16th from there, always chunk id % 8: 16 rows are 2048 bytes further, with the same key.
    const int fill_row = id >> 3, fill_chunk = id & 7;
    const unsigned fill = offset(fill_row, fill_chunk);
    // Reading a: row lane % 16, chunk lane / 16 and two further in each step. b: row lane % 16 of a step's 16, and
    // chunks x0 / 8 to x0 / 8 + 3, two at a time.
    const unsigned from_a = a_tile + offset(y0 + lane % 16, lane / 16);
    const unsigned from_b = b_tile + offset(lane % 16, x0 / 8 + lane / 16);

    float sum[4][4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
        const int i = k0 + fill_chunk * 8;
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int row = row0 + fill_row + j * 16;
            ptx_store_shared(a_tile + fill + j * 2048, load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0));
        }
        const int column = column0 + fill_chunk * 8;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = k0 + fill_row + j * 16;
            ptx_store_shared(b_tile + fill + j * 2048, load8(b + r * n + column, r < k ? n - column : 0, n % 8 == 0));
        }
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[4][4], y[2][4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                ptx_ldmatrix4<false>(x[p], (from_a ^ step * 32) + p * 2048);
#pragma unroll
            for (int p = 0; p < 2; p++)
                ptx_ldmatrix4<true>(y[p], (from_b ^ p * 32) + step * 2048);
#pragma unroll
            for (int p = 0; p < 16; p++)
                ptx_mma(sum[p / 4][p % 4], x[p / 4], y[p % 4 / 2][p % 2 * 2], y[p % 4 / 2][p % 2 * 2 + 1]);
        }
        __syncthreads();
    }

    // Lanes l and l ^ 1 have four neighbours of row lane / 4 between them, and four of the row 8 below. The even one
    // takes the upper four, the odd one the lower four.
    const bool odd = lane & 1;
#pragma unroll
    for (int p = 0; p < 16; p++) {
        const float(&s)[4] = sum[p / 4][p % 4];
        const float first = __shfl_xor_sync(0xffffffffu, odd ? s[0] : s[2], 1);
        const float second = __shfl_xor_sync(0xffffffffu, odd ? s[1] : s[3], 1);
        const float4 four = odd ? make_float4(first, second, s[2], s[3]) : make_float4(s[0], s[1], first, second);

        const int row = row0 + y0 + p / 4 * 16 + lane / 4 + (odd ? 8 : 0);
        const int column = column0 + x0 + p % 4 * 8 + (lane & 2) * 2;
        if (row >= m)
            continue;
        float *to = c + row * n + column;
        if (n % 4 == 0) {
            if (column < n)
                *(float4 *)to = four;
        } else {
            if (column < n)
                to[0] = four.x;
            if (column + 1 < n)
                to[1] = four.y;
            if (column + 2 < n)
                to[2] = four.z;
            if (column + 3 < n)
                to[3] = four.w;
        }
    }
}
