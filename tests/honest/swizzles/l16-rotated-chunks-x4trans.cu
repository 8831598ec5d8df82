// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: chunks rotated (q + r) instead of XORed, both operands by ldmatrix.x4, cp.async where rows are aligned
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

// Chunk q of row r, 16 bytes: its row is rotated by r places.
template <int ROWS>
struct RotatedTile {
    uint4 chunk[ROWS * 8];
    __device__ __forceinline__ uint4 *at(int r, int q) { return chunk + (r * 8 | ((q + r) & 7)); }
};

// Four matrices, each transposed on the way: the pairs for two neighbouring products at once.
#define LDMATRIX4_TRANS(u, v, row)                                                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((u)[0]), "=r"((u)[1]), "=r"((v)[0]), "=r"((v)[1])                 \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

// One chunk to shared memory: where rows are aligned by an asynchronous copy, else by way of registers.
__device__ __forceinline__ void bring(uint4 *to, const __half *matrix, int index, int have, bool aligned)
{
    if (aligned)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                     "l"(__cvta_generic_to_global(matrix + (have > 0 ? index : 0))), "r"(have > 0 ? 16 : 0) : "memory");
    else
        *to = load8(matrix + (have > 0 ? index : 0), have, false);
}

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ RotatedTile<128> a_tile;
    __shared__ RotatedTile<64> b_tile;

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 32;
    float sum[4][4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int e = id + j * 128, r = e / 8, q = e % 8, row = row0 + r, i = k0 + q * 8;
            bring(a_tile.at(r, q), a, row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int e = id + j * 128, r = e / 8, q = e % 8, i = k0 + r, column = column0 + q * 8;
            bring(b_tile.at(r, q), b, i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[4][4], y[4][2];
#pragma unroll
            for (int p = 0; p < 4; p++)
                LDMATRIX4(x[p], a_tile.at(y0 + p * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
            for (int p = 0; p < 4; p += 2)  // lanes 16 to 31 name the rows of the next eight columns
                LDMATRIX4_TRANS(y[p], y[p + 1], b_tile.at(step * 16 + lane % 16, x0 / 8 + p + lane / 16));
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    MMA(sum[p][q], x[p], y[q]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = row0 + y0 + p * 16 + h * 8 + lane / 4, column = column0 + x0 + q * 8 + lane % 4 * 2;
                if (row < m)
                    store2(c + row * n + column, sum[p][q][h * 2], sum[p][q][h * 2 + 1], n - column, n % 2 == 0);
            }
}
