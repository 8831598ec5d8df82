// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: CuTe's Swizzle<3, 3, 3> on element offsets, fragments of a read one step ahead by template recursion
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

// As CuTe writes it: BITS bits, above the lowest BASE, are turned by those SHIFT further up.
template <int BITS, int BASE, int SHIFT>
struct Swizzle {
    static constexpr int MASK = (1 << BITS) - 1;
    __device__ __forceinline__ constexpr int operator()(int offset) const
    {
        return offset ^ (offset >> SHIFT & MASK << BASE);
    }
};

// Rows of 64 halves: bits 3 to 5 are the chunk of eight, bits 6 to 8 the row.
struct Tile {
    __half *half;
    __device__ __forceinline__ __half *at(int r, int column) const { return half + Swizzle<3, 3, 3>{}(r * 64 + column); }
};

struct Left {
    unsigned x[4][4];
    __device__ __forceinline__ void read(const Tile &a, int y0, int step, int lane)
    {
#pragma unroll
        for (int p = 0; p < 4; p++)
            LDMATRIX4(x[p], a.at(y0 + p * 16 + lane % 16, step * 16 + lane / 16 * 8));
    }
};

struct Right {
    unsigned y[4][2];
    __device__ __forceinline__ Right(const Tile &b, int x0, int step, int lane)
    {
#pragma unroll
        for (int p = 0; p < 4; p++)
            LDMATRIX2_TRANS(y[p], b.at(step * 16 + lane % 16, x0 + p * 8));
    }
};

struct Sums {
    float part[4][4][4];
    __device__ __forceinline__ void add(const Left &left, const Right &right)
    {
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int q = 0; q < 4; q++)
                MMA(part[p][q ^ (p & 1) * 3], left.x[p], right.y[q ^ (p & 1) * 3]);  // there and back, as CUTLASS walks
    }
};

template <int STEP>
__device__ __forceinline__ void steps(Sums &sums, Left (&f)[2], const Tile &a, const Tile &b, int y0, int x0, int lane)
{
    if constexpr (STEP < 4) {
        const Right right(b, x0, STEP, lane);
        if constexpr (STEP < 3)
            f[(STEP + 1) % 2].read(a, y0, STEP + 1, lane);
        sums.add(f[STEP % 2], right);
        steps<STEP + 1>(sums, f, a, b, y0, x0, lane);
    }
}

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ __align__(1024) __half memory[(128 + 64) * 64];
    const Tile a_tile{memory}, b_tile{memory + 128 * 64};

    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 32;
    Sums sums = {};
    Left f[2];

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            int r = j * 16 + id / 8, q = id % 8 * 8, row = row0 + r, i = k0 + q;
            *reinterpret_cast<uint4 *>(a_tile.at(r, q)) = load8(a + row * k + i, row < m ? k - i : 0, k % 8 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = j * 16 + id / 8, q = id % 8 * 8, i = k0 + r, column = column0 + q;
            *reinterpret_cast<uint4 *>(b_tile.at(r, q)) = load8(b + i * n + column, i < k ? n - column : 0, n % 8 == 0);
        }
        __syncthreads();
        f[0].read(a_tile, y0, 0, lane);
        steps<0>(sums, f, a_tile, b_tile, y0, x0, lane);
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 32; p++) {
        int row = row0 + y0 + p / 8 * 16 + p % 2 * 8 + lane / 4, column = column0 + x0 + p / 2 % 4 * 8 + lane % 4 * 2;
        const float *two = &sums.part[p / 8][p / 2 % 4][p % 2 * 2];
        store2(c + row * n + column, two[0], two[1], row < m ? n - column : 0, n % 2 == 0);
    }
}
