// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: swizzle folded into one lane address that steps XOR, both operands by ldmatrix.x4, batches of four loads before their stores
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
// The same by an address of the shared window; the second turns all four matrices.
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], unsigned at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

__device__ __forceinline__ void load_matrices_turned(unsigned (&to)[4], unsigned at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

// Both tiles: rows of 8 chunks, chunk q of row r at q ^ r % 8.
struct __align__(1024) Tiles {
    uint4 a[128 * 8];
    uint4 b[64 * 8];
};
static_assert(sizeof(Tiles) == 24576, "not one byte more");

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ Tiles tiles;

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp >> 1) * 64, x0 = (warp & 1) * 32;
    const bool a_aligned = k % 8 == 0, b_aligned = n % 8 == 0;

    // Filling: chunk q of rows r, r + 16, r + 32 …, which have the same key.
    const int r = id >> 3, q = id & 7, place = r * 8 + (q ^ (r & 7));

    // Reading: rows y0 + lane % 16 and chunk lane / 16 of a; rows lane % 16 and chunk x0 / 8 + lane / 16
    // of b. Both have key lane % 8, and bits of a chunk's number that steps add are XORed in later.
    const unsigned a_at = (unsigned)__cvta_generic_to_shared(tiles.a) + (y0 + (lane & 15)) * 128 + (((lane >> 4) ^ (lane & 7)) << 4);
    const unsigned b_at = (unsigned)__cvta_generic_to_shared(tiles.b) + (lane & 15) * 128 + (((x0 / 8 + (lane >> 4)) ^ (lane & 7)) << 4);

    float sum[4][4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
        const int i = k0 + q * 8;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            uint4 held[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const int row = row0 + r + (half * 4 + j) * 16;
                held[j] = load8(a + (long long)row * k + i, row < m ? k - i : 0, a_aligned);
            }
#pragma unroll
            for (int j = 0; j < 4; j++)
                tiles.a[place + (half * 4 + j) * 128] = held[j];
        }
        {
            uint4 held[4];
            const int column = column0 + q * 8;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const int row = k0 + r + j * 16;
                held[j] = load8(b + (long long)row * n + column, row < k ? n - column : 0, b_aligned);
            }
#pragma unroll
            for (int j = 0; j < 4; j++)
                tiles.b[place + j * 128] = held[j];
        }
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[4][4], y[2][4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                load_matrices(x[p], (a_at ^ (step << 5)) + p * 2048);
#pragma unroll
            for (int p = 0; p < 2; p++)
                load_matrices_turned(y[p], (b_at ^ (p << 5)) + step * 2048);
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int s = 0; s < 4; s++)
                    MMA(sum[p][s], x[p], y[s / 2] + s % 2 * 2);
        }
        __syncthreads();
    }

    const bool pairs = n % 2 == 0;
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = row0 + y0 + p * 16 + h * 8 + (lane >> 2);
            float *to = c + (long long)row * n;
#pragma unroll
            for (int s = 0; s < 4; s++) {
                const int column = column0 + x0 + s * 8 + (lane & 3) * 2;
                store2(to + column, sum[p][s][h * 2], sum[p][s][h * 2 + 1], row < m ? n - column : 0, pairs);
            }
        }
}
