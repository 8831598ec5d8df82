// lesson 16; device sim,gpu; nvcc,clang; want: pass; tries: the tensor cores make the transposed product: b's tile, turned by ldmatrix.trans, is the first operand and a's rows are the second, so a lane's sums are rows of one column and every store of a warp is four whole sectors
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

__device__ __forceinline__ void ptx_ldmatrix4(unsigned (&to)[4], const uint4 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}

__device__ __forceinline__ void ptx_ldmatrix4_trans(unsigned (&to)[4], const uint4 *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}

__device__ __forceinline__ void ptx_mma(float (&sum)[4], const unsigned (&x)[4], unsigned y0, unsigned y1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y0), "r"(y1));
}

// Eight halves of a row, of which the first `have` exist; the others are 0.
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

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ uint4 a_tile[128][8], b_tile[64][8];  // chunk q of row r at q ^ (r & 7)

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp >> 1) * 64, x0 = (warp & 1) * 32;

    // Of the transposed product a warp has 32 rows (columns of c) and 64 columns (rows of c):
    // two times eight products of 16 x 8.
    float sum[2][8][4] = {};

    const int low = lane & 7, second = lane >> 3 & 1, upper = lane >> 4;

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int e = id + j * 128, r = e >> 3, q = e & 7, row = row0 + r, i = k0 + q * 8;
            a_tile[r][q ^ (r & 7)] = load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int e = id + j * 128, r = e >> 3, q = e & 7, i = k0 + r, column = column0 + q * 8;
            b_tile[r][q ^ (r & 7)] = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            // Rows of b are k. Matrices in the order that the first operand wants, once turned: columns 0-7 of
            // c, then 8-15, both for the first eight of k, then for the second eight.
            unsigned x[2][4], y[4][4];
#pragma unroll
            for (int p = 0; p < 2; p++) {
                const int r = step * 16 + upper * 8 + low, q = x0 / 8 + p * 2 + second;
                ptx_ldmatrix4_trans(x[p], &b_tile[r][q ^ low]);
            }
            // Two operands of eight rows of a at once: the first eight of k, the second eight, each.
#pragma unroll
            for (int p = 0; p < 4; p++) {
                const int r = y0 + p * 16 + upper * 8 + low, q = step * 2 + second;
                ptx_ldmatrix4(y[p], &a_tile[r][q ^ low]);
            }
#pragma unroll
            for (int p = 0; p < 2; p++)
#pragma unroll
                for (int s = 0; s < 8; s++)
                    ptx_mma(sum[p][s], x[p], y[s / 2][s % 2 * 2], y[s / 2][s % 2 * 2 + 1]);
        }
        __syncthreads();
    }

    // A lane has column lane / 4 of c, and the one 8 to the right, of two rows that follow one another.
#pragma unroll
    for (int s = 0; s < 8; s++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = row0 + y0 + s * 8 + lane % 4 * 2 + h;
#pragma unroll
            for (int p = 0; p < 2; p++)
#pragma unroll
                for (int right = 0; right < 2; right++) {
                    const int column = column0 + x0 + p * 16 + right * 8 + lane / 4;
                    if (row < m && column < n)
                        c[row * n + column] = sum[p][s][right * 2 + h];
                }
        }
}
