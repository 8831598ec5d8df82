// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: warps of 32 x 64 in place of 64 x 32, chunks rotated (q + r) % 8 in place of XOR, cp.async fill where rows are aligned, ldmatrix.x4.trans for b
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

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

#define LDMATRIX4_TRANS(to, row)                                                          \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])             \
                 : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory")

template <int Rows>
struct Tile {
    uint4 chunk[Rows * 8];
    __device__ __forceinline__ uint4 *operator()(int r, int q) { return chunk + r * 8 + ((q + r) & 7); }
};

__device__ __forceinline__ void bring(uint4 *to, const __half *matrix, size_t at, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, have > 0 ? matrix + at : matrix, 16, have > 0 ? 0 : 16);
    else
        *to = load8(matrix + at, have, false);
}

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(128) Tile<128> a_tile;
    __shared__ __align__(128) Tile<64> b_tile;

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = warp * 32;
    float sum[2][8][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int r = (id >> 3) + j * 16, q = id & 7, row = row0 + r, i = k0 + q * 8;
            bring(a_tile(r, q), a, (size_t)row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = (id >> 3) + j * 16, q = id & 7, i = k0 + r, column = column0 + q * 8;
            bring(b_tile(r, q), b, (size_t)i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[2][4], y[4][4];
#pragma unroll
            for (int p = 0; p < 2; p++)
                LDMATRIX4(x[p], a_tile(y0 + p * 16 + lane % 16, step * 2 + lane / 16));
            // Two products wide: lanes 0 to 15 give the left columns' rows, 16 to 31 the right ones'.
#pragma unroll
            for (int w = 0; w < 4; w++)
                LDMATRIX4_TRANS(y[w], b_tile(step * 16 + lane % 16, w * 2 + lane / 16));
#pragma unroll
            for (int p = 0; p < 2; p++)
#pragma unroll
                for (int w = 0; w < 8; w++)
                    MMA(sum[p][w], x[p], y[w / 2] + w % 2 * 2);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 2; p++)
#pragma unroll
        for (int w = 0; w < 8; w++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = row0 + y0 + p * 16 + h * 8 + lane / 4, column = column0 + w * 8 + lane % 4 * 2;
                store2(c + (size_t)row * n + column, sum[p][w][h * 2], sum[p][w][h * 2 + 1], row < m ? n - column : 0, n % 2 == 0);
            }
}
