// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: chunks rotated by rows, and pairs of sums stored on one side of a branch
#include <cuda_fp16.h>

LAUNCH(128, 1, 64, 128)

using half_t = __half;

__device__ __forceinline__ unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// Rows of 64 halves, eight chunks of 16 bytes; each row begins one chunk further than the last.
template <int Rows> struct Tile {
    uint4 chunk[Rows][8];
    __device__ __forceinline__ uint4 *at(int r, int q) { return &chunk[r][(q + r) & 7]; }
};

struct Matrix {
    const half_t *data;
    int rows, columns;

    // Eight neighbours from (r, c) on into shared memory; zeros for what does not exist.
    __device__ __forceinline__ void bring(uint4 *to, int r, int c) const
    {
        const int have = r < rows ? columns - c : 0;
        const half_t *from = data + (size_t)r * columns + c;
        if (columns % 8 == 0) {  // all or nothing, at a multiple of 16 bytes
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(to)), "l"(__cvta_generic_to_global(have > 0 ? from : data)), "r"(have > 0 ? 16 : 0) : "memory");
            return;
        }
        unsigned word[4] = {0, 0, 0, 0};
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (j < have)
                word[j / 2] |= (unsigned)__half_as_ushort(from[j]) << 16 * (j % 2);
        *to = make_uint4(word[0], word[1], word[2], word[3]);
    }
};

__device__ __forceinline__ void ldmatrix_x4(unsigned (&to)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared(row)) : "memory");
}

__device__ __forceinline__ void ldmatrix_x4_trans(unsigned (&to)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared(row)) : "memory");
}

__device__ __forceinline__ void mma(float (&sum)[4], const unsigned (&x)[4], unsigned upper, unsigned lower)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(upper), "r"(lower));
}

__global__ void __launch_bounds__(128, 4) matmul(float *c, const half_t *a, const half_t *b, int m, int n, int k)
{
    __shared__ Tile<128> a_tile;
    __shared__ Tile<64> b_tile;

    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const Matrix A{a, m, k}, B{b, k, n};
    float sum[2][8][4] = {};  // a warp: 32 rows, all 64 columns

    for (int k0 = 0; k0 < k; k0 += 64) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int r = id / 8 + 16 * j, q = id % 8;
            A.bring(a_tile.at(r, q), row0 + r, k0 + 8 * q);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = id / 8 + 16 * j, q = id % 8;
            B.bring(b_tile.at(r, q), k0 + r, column0 + 8 * q);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            unsigned x[2][4], y[4][4];
#pragma unroll
            for (int p = 0; p < 2; p++)
                ldmatrix_x4(x[p], a_tile.at(warp * 32 + p * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
            for (int p = 0; p < 4; p++)  // sixteen columns: upper and lower half of the first eight, then of the others
                ldmatrix_x4_trans(y[p], b_tile.at(step * 16 + lane % 16, p * 2 + lane / 16));
#pragma unroll
            for (int p = 0; p < 2; p++)
#pragma unroll
                for (int q = 0; q < 8; q++)
                    mma(sum[p][q], x[p], y[q / 2][q % 2 * 2], y[q / 2][q % 2 * 2 + 1]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 2; p++)
#pragma unroll
        for (int low = 0; low < 2; low++) {
            const int row = row0 + warp * 32 + p * 16 + low * 8 + lane / 4;
            if (row >= m)
                continue;
#pragma unroll
            for (int q = 0; q < 8; q++) {
                const int column = column0 + q * 8 + lane % 4 * 2;
                float *to = c + (size_t)row * n + column;
                const float first = sum[p][q][low * 2], second = sum[p][q][low * 2 + 1];
                if (n % 2 == 0 && column < n)
                    *(float2 *)to = make_float2(first, second);
                else {
                    if (column < n)
                        to[0] = first;
                    if (column + 1 < n)
                        to[1] = second;
                }
            }
        }
}
