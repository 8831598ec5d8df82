// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: rows are rotated ((q + r) % 8) instead of XORed, the four warps stand above each other (32 x 64 each), b by ldmatrix x4.trans
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

// Chunk q of row r: each row begins one chunk further on, and wraps.
__device__ __forceinline__ int place(int r, int q) { return r * 8 + (q + r) % 8; }

// Eight halves of a row, of which the first `have` exist; the others are 0.
__device__ uint4 load8(const __half *from, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        return have > 0 ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
    unsigned word[4] = {};
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (j < have)
            word[j / 2] |= (unsigned)((const unsigned short *)from)[j] << j % 2 * 16;
    return make_uint4(word[0], word[1], word[2], word[3]);
}

// Macros, so that the lab shows the lines that use them.
//
// Four 8 x 8 matrices. Lane l gives the address of one row, 16 bytes: row l % 8 of matrix l / 8.
// It gets two neighbours of row l / 4 of each matrix: columns l % 4 * 2 and the next.
#define LDMATRIX4(to, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])       \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// Two matrices, rows from lanes 0 to 15, and each is transposed on the way: a lane gets two
// neighbours of column l / 4.
#define LDMATRIX2_TRANS(to, row)                                                    \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"   \
                 : "=r"((to)[0]), "=r"((to)[1])                                     \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// sum += x y: 16 x 16 halves times 16 x 8. The quarters of x come in this order: upper left,
// lower left, upper right, lower right. Of y the upper half comes first.
#define MMA(sum, x, y)                                                              \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "               \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"  \
                 : "+f"((sum)[0]), "+f"((sum)[1]), "+f"((sum)[2]), "+f"((sum)[3])   \
                 : "r"((x)[0]), "r"((x)[1]), "r"((x)[2]), "r"((x)[3]), "r"((y)[0]), "r"((y)[1]))

// Four matrices, each transposed on the way: lanes 0 to 15 give 16 rows of one chunk, lanes 16 to 31 of the next.
#define LDMATRIX4_TRANS(to, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])             \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// Two neighbours of a row, of which the first `have` exist.
__device__ void store2(float *to, float first, float second, int have, bool aligned)
{
    if (aligned && have > 0)  // rows are multiples of 8 bytes: both or none
        *(float2 *)to = make_float2(first, second);
    if (!aligned && have > 0)
        to[0] = first;
    if (!aligned && have > 1)
        to[1] = second;
}

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ uint4 a_tile[128 * 8], b_tile[64 * 8];

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int r_fill = id / 8, q_fill = id % 8;
    float sum[2][8][4] = {};  // 2 x 8 products of 16 x 8

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int r = r_fill + 16 * j, i = k0 + q_fill * 8;
            a_tile[place(r, q_fill)] = load8(a + (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = r_fill + 16 * j, x = column0 + q_fill * 8;
            b_tile[place(r, q_fill)] = load8(b + (k0 + r) * n + x, k0 + r < k ? n - x : 0, n % 8 == 0);
        }
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[2][4], y[4][4];
#pragma unroll
            for (int h = 0; h < 2; h++)
                LDMATRIX4(x[h], &a_tile[place(warp * 32 + h * 16 + lane % 16, step * 2 + lane / 16)]);
#pragma unroll
            for (int p = 0; p < 4; p++)
                LDMATRIX4_TRANS(y[p], &b_tile[place(step * 16 + lane % 16, p * 2 + lane / 16)]);
#pragma unroll
            for (int p = 0; p < 8; p++) {
                MMA(sum[0][p], x[0], y[p / 2] + p % 2 * 2);
                MMA(sum[1][p], x[1], y[p / 2] + p % 2 * 2);
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int h = 0; h < 4; h++) {
        const int row = row0 + warp * 32 + h * 8 + lane / 4;
#pragma unroll
        for (int p = 0; p < 8; p++) {
            const int column = column0 + p * 8 + lane % 4 * 2;
            const float *two = &sum[h / 2][p][h % 2 * 2];
            store2(c + row * n + column, two[0], two[1], row < m ? n - column : 0, n % 2 == 0);
        }
    }
}
