// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: the next tile of b is already in registers while this one is multiplied, swizzle computed once per lane, accumulators as a struct of float2 pairs
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

struct Product {
    float e[4];
};

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(1024) uint4 a_tile[128 * 8];
    __shared__ __align__(1024) uint4 b_tile[64 * 8];

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp & 1) * 64, x0 = (warp >> 1) * 32;
    const bool even_k = k % 8 == 0, even_n = n % 8 == 0;
    // In filling, a thread has rows id / 8 + 16 j: they all agree in r % 8, so its place is the same in each.
    const int fill_r = id >> 3, fill_q = id & 7, fill_at = fill_r * 8 + (fill_q ^ (fill_r & 7));
    const int read_r = lane & 15, high = lane >> 4, turn = lane & 7;

    Product sum[4][4] = {};
    uint4 next[4];
    auto fetch_b = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = k0 + fill_r + j * 16, q = column0 + fill_q * 8;
            next[j] = load8(b + (size_t)i * n + q, i < k ? n - q : 0, even_n);
        }
    };
    fetch_b(0);

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            b_tile[fill_at + j * 128] = next[j];
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int row = row0 + fill_r + j * 16, i = k0 + fill_q * 8;
            a_tile[fill_at + j * 128] = load8(a + (size_t)row * k + i, row < m ? k - i : 0, even_k);
        }
        __syncthreads();
        if (k0 + 64 < k)
            fetch_b(k0 + 64);

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[4][4], y[4][2];
#pragma unroll
            for (int p = 0; p < 4; p++)
                LDMATRIX4(x[p], a_tile + (y0 + p * 16 + read_r) * 8 + ((step * 2 + high) ^ turn));
#pragma unroll
            for (int p = 0; p < 4; p++)
                LDMATRIX2_TRANS(y[p], b_tile + (step * 16 + read_r) * 8 + ((x0 / 8 + p) ^ turn));
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int w = 0; w < 4; w++)
                    MMA(sum[p][w].e, x[p], y[w]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int w = 0; w < 4; w++) {
            const int row = row0 + y0 + p * 16 + lane / 4, column = column0 + x0 + w * 8 + lane % 4 * 2;
            const Product &s = sum[p][w];
            store2(c + (size_t)row * n + column, s.e[0], s.e[1], row < m ? n - column : 0, n % 2 == 0);
            store2(c + (size_t)(row + 8) * n + column, s.e[2], s.e[3], row + 8 < m ? n - column : 0, n % 2 == 0);
        }
}
