// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads with a patch of 2 x 2 each, a template class for the patch, chunks of a and pairs of b
LAUNCH(16, 16, 32, 32)

template <int ROWS, int COLUMNS>
class Patch {
    float sum_[ROWS][COLUMNS] = {};

public:
    // The product of a column of `x` and a row of `y`.
    __device__ __forceinline__ void add(const float (&x)[ROWS], const float (&y)[COLUMNS])
    {
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q)
                sum_[r][q] = fmaf(x[r], y[q], sum_[r][q]);
    }
    __device__ __forceinline__ void store(float *c, int row, int column, int m, int n) const
    {
#pragma unroll
        for (int r = 0; r < ROWS; ++r)
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q)
                if (row + r < m && column + q < n)
                    c[(row + r) * n + column + q] = sum_[r][q];
    }
};

// 32 x 32 words of `from`, rows by warps, zeros where the matrix has ended.
static __device__ __forceinline__ void fill(float *tile, const float *from, int row0, int column0, int rows, int columns)
{
    const int t = threadIdx.y * 16 + threadIdx.x, lane = t % 32;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const int r = t / 32 + j * 8;
        const bool exists = row0 + r < rows && column0 + lane < columns;
        tile[r * 32 + lane] = exists ? from[(row0 + r) * columns + column0 + lane] : 0.0f;
    }
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[32][8];   // 32 rows, chunks of four along k
    __shared__ float2 b_tile[32][16];  // 32 along k, pairs of columns

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    Patch<2, 2> patch;

    for (int k0 = 0; k0 < k; k0 += 32) {
        fill(reinterpret_cast<float *>(a_tile), a, row0, k0, m, k);
        fill(reinterpret_cast<float *>(b_tile), b, k0, column0, k, n);
        __syncthreads();

#pragma unroll
        for (int q = 0; q < 8; ++q) {
            const float4 u = a_tile[2 * ty][q], v = a_tile[2 * ty + 1][q];
            const float2 b0 = b_tile[4 * q][tx], b1 = b_tile[4 * q + 1][tx];
            const float2 b2 = b_tile[4 * q + 2][tx], b3 = b_tile[4 * q + 3][tx];
            patch.add({u.x, v.x}, {b0.x, b0.y});
            patch.add({u.y, v.y}, {b1.x, b1.y});
            patch.add({u.z, v.z}, {b2.x, b2.y});
            patch.add({u.w, v.w}, {b3.x, b3.y});
        }
        __syncthreads();
    }
    patch.store(c, row0 + 2 * ty, column0 + 2 * tx, m, n);
}
