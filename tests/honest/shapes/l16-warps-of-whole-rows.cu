// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: warps of 32 x 64, both operands by ldmatrix.x4, tiles filled by cp.async where rows allow it, one struct that swizzles addresses
// 16 tensor tiles: a product of half-precision matrices on tensor cores.
//
// Contract: c = a b; a is m x k and b is k x n, of halves, c is m x n, of floats; any positive
// sizes. All three begin at a multiple of 256 bytes. A block has 128 x 64 elements of c and steps
// of 64 along k, in 24576 bytes of shared memory. ldmatrix needs sm_75, this mma sm_80.
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

// The same for four matrices: the two of one chunk of columns, then the two of the next.
#define LDMATRIX4_TRANS(to, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])             \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

#define COPY16(to, from, bytes)                                                                             \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), \
                 "l"(__cvta_generic_to_global(from)), "r"(bytes) : "memory")
#define COPIES_DONE() asm volatile("cp.async.wait_all;" ::: "memory")

// ROWS rows of 128 bytes. Bits 4 to 6 of an address within the tile are the chunk, bits 7 to 9 the row.
template <int ROWS>
struct Swizzled {
    uint4 chunks[ROWS * 8];

    __device__ __forceinline__ uint4 *at(int row, int chunk)
    {
        const int plain = row << 7 | chunk << 4;
        return chunks + ((plain ^ (plain >> 3 & 0x70)) >> 4);
    }

    // Element (row0, column0) of a matrix of rows x columns comes to the upper left; the block has 128 threads.
    __device__ __forceinline__ void fill(const __half *matrix, int row0, int column0, int rows, int columns)
    {
        const int chunk = threadIdx.x & 7, column = column0 + chunk * 8;
        if (columns % 8 == 0) {
#pragma unroll
            for (int j = 0; j < ROWS / 16; ++j) {
                const int r = j * 16 + (threadIdx.x >> 3);
                const bool there = row0 + r < rows && column < columns;
                COPY16(at(r, chunk), matrix + (there ? (row0 + r) * columns + column : 0), there ? 16 : 0);
            }
        } else {
#pragma unroll 1
            for (int r = threadIdx.x >> 3; r < ROWS; r += 16) {
                const int have = row0 + r < rows ? columns - column : 0;
                *at(r, chunk) = load8(matrix + (have > 0 ? (row0 + r) * columns + column : 0), have, false);
            }
        }
    }
};

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(128) Swizzled<128> a_tile;
    __shared__ __align__(128) Swizzled<64> b_tile;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    float sum[2][8][4] = {};  // a warp has 32 whole rows: 2 x 8 products of 16 x 8

    for (int k0 = 0; k0 < k; k0 += 64) {
        a_tile.fill(a, row0, k0, m, k);
        b_tile.fill(b, k0, column0, k, n);
        COPIES_DONE();
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; ++step) {
            unsigned x[2][4];
#pragma unroll
            for (int p = 0; p < 2; ++p)
                LDMATRIX4(x[p], a_tile.at(warp * 32 + p * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
            for (int q = 0; q < 8; q += 2) {
                unsigned y[4];
                LDMATRIX4_TRANS(y, b_tile.at(step * 16 + lane % 16, q + lane / 16));
#pragma unroll
                for (int p = 0; p < 2; ++p) {
                    MMA(sum[p][q], x[p], y);
                    MMA(sum[p][q + 1], x[p], y + 2);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 2; ++p)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = row0 + warp * 32 + p * 16 + h * 8 + lane / 4;
            if (row >= m)
                continue;
#pragma unroll
            for (int q = 0; q < 8; ++q) {
                const int column = column0 + q * 8 + lane % 4 * 2;
                store2(c + row * n + column, sum[p][q][h * 2], sum[p][q][h * 2 + 1], n - column, n % 2 == 0);
            }
        }
}
