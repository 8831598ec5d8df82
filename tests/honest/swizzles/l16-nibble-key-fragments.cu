// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: fragments as classes, and a key for each row from a table of eight nibbles in one word
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

// The key of row r: nibble r % 8. Any order of 0 to 7 would do, since no two of eight rows may have the same.
__device__ __forceinline__ int key(int r)
{
    return 0x12745630u >> r % 8 * 4 & 7;
}

template <int ROWS>
struct Tile {  // rows of 64 halves, eight chunks
    uint4 chunk[ROWS][8];
    __device__ __forceinline__ unsigned at(int r, int q) const
    {
        return (unsigned)__cvta_generic_to_shared(&chunk[r][q ^ key(r)]);
    }
};

struct LeftFragment {  // 16 x 16 of a
    unsigned word[4];
    __device__ __forceinline__ void load(unsigned address)
    {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                     : "r"(address) : "memory");
    }
};

struct RightFragment {  // 16 x 8 of b
    unsigned word[2];
    __device__ __forceinline__ void load(unsigned address)
    {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(word[0]), "=r"(word[1])
                     : "r"(address) : "memory");
    }
};

struct Sums {  // 16 x 8 of c
    float value[4];
    __device__ __forceinline__ void add(const LeftFragment &x, const RightFragment &y)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(value[0]), "+f"(value[1]), "+f"(value[2]), "+f"(value[3])
                     : "r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]), "r"(x.word[3]), "r"(y.word[0]), "r"(y.word[1]));
    }
};

// A matrix of halves; eight of a row at a time, zeros where it has ended.
struct Halves {
    const __half *first;
    int rows, columns;
    __device__ __forceinline__ uint4 eight(int row, int column) const
    {
        const int have = row < rows ? columns - column : 0;
        const __half *from = first + row * columns + column;
        if (columns % 8 == 0)
            return have > 0 ? *(const uint4 *)from : make_uint4(0, 0, 0, 0);
        unsigned word[4] = {};
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (j < have)
                word[j / 2] |= (unsigned)((const unsigned short *)from)[j] << j % 2 * 16;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }
};

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ Tile<128> left;
    __shared__ Tile<64> right;

    const Halves A = {a, m, k}, B = {b, k, n};
    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = warp / 2 * 64, x0 = warp % 2 * 32;
    Sums sums[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 64) {
        const int r = id / 8, q = id % 8, to = q ^ key(r);  // rows r, r + 16, r + 32 … have one key
#pragma unroll 4
        for (int j = 0; j < 128; j += 16)
            left.chunk[r + j][to] = A.eight(row0 + r + j, k0 + q * 8);
#pragma unroll
        for (int j = 0; j < 64; j += 16)
            right.chunk[r + j][to] = B.eight(k0 + r + j, column0 + q * 8);
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            LeftFragment x[4];
            RightFragment y[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p].load(left.at(y0 + p * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
            for (int p = 0; p < 4; p++)
                y[p].load(right.at(step * 16 + lane % 16, x0 / 8 + p));
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int s = 0; s < 4; s++)
                    sums[p][s].add(x[p], y[s]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int s = 0; s < 4; s++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = row0 + y0 + p * 16 + h * 8 + lane / 4, column = column0 + x0 + s * 8 + lane % 4 * 2;
                const float one = sums[p][s].value[h * 2], two = sums[p][s].value[h * 2 + 1];
                float *to = c + row * n + column;
                if (row < m && column < n && n % 2 == 0)
                    *(float2 *)to = make_float2(one, two);
                if (row < m && column < n && n % 2)
                    to[0] = one;
                if (row < m && column + 1 < n && n % 2)
                    to[1] = two;
            }
}
