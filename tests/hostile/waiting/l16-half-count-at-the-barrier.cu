// lesson 16; device sim; nvcc,clang; want: fail; tries: two warps come to bar.sync 0 and two to bar.red.popc 0: PTX forbids both kinds at one active barrier, CUDA two calls for one barrier
// 16 tensor tiles. Solution: chunk q of row r is kept at place q ^ (r % 8).
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

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
    // Rows of 64 halves, 8 chunks of 16 bytes, all begin in bank 0. Chunk q of row r lives at place q ^ (r % 8): so eight
    // rows that follow one another keep their chunks q in eight different groups of four banks.
    __shared__ uint4 a_tile[128][8], b_tile[64][8];

    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    int y0 = warp / 2 * 64, x0 = warp % 2 * 32;  // a warp has 64 x 32 of the 128 x 64
    float sum[4][4][4] = {};                     // 4 x 4 products of 16 x 8

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4  // as many loads under way, and no more registers for them
        for (int j = 0; j < 8; j++) {  // chunk q of row r
            int e = id + j * 128, r = e / 8, q = e % 8, row = row0 + r, i = k0 + q * 8;
            a_tile[r][q ^ r % 8] = load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0);  // @fill-a
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 128, r = e / 8, q = e % 8, i = k0 + r, column = column0 + q * 8;
            b_tile[r][q ^ r % 8] = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);  // @fill-b
        }
        if (warp < 2)
            __syncthreads();
        else
            __syncthreads_count(lane);

#pragma unroll
        for (int step = 0; step < 4; step++) {  // 16 along k: two chunks of a, 16 rows of b
            unsigned x[4][4], y[4][2];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                int r = y0 + p * 16 + lane % 16, q = step * 2 + lane / 16;
                LDMATRIX4(x[p], &a_tile[r][q ^ r % 8]);  // @a
            }
#pragma unroll
            for (int p = 0; p < 4; p++) {
                int r = step * 16 + lane % 16, q = x0 / 8 + p;
                LDMATRIX2_TRANS(y[p], &b_tile[r][q ^ r % 8]);  // @b
            }
#pragma unroll
            for (int p = 0; p < 16; p++)
                MMA(sum[p / 4][p % 4], x[p / 4], y[p % 4]);
        }
        __syncthreads();
    }

    // A lane has two neighbours of row lane / 4 of each product, and two of the row 8 below.
#pragma unroll
    for (int p = 0; p < 32; p++) {
        int row = row0 + y0 + p / 8 * 16 + p % 2 * 8 + lane / 4, column = column0 + x0 + p / 2 % 4 * 8 + lane % 4 * 2;
        const float *two = &sum[p / 8][p / 2 % 4][p % 2 * 2];
        store2(c + row * n + column, two[0], two[1], row < m ? n - column : 0, n % 2 == 0);
    }
}
