// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: one functor issues every asynchronous copy, existing or zero-filled, for 64 x 4 threads with 64 columns and 32 rows of c, eight rows a thread; commit, wait, barrier, products, barrier in a do/while; nothing is stored by hand, right
#include <cuda_pipeline.h>

LAUNCH(64, 4, 64, 32)

struct Bring {
    const float *matrix;
    long long rows, columns;
    __device__ void operator()(float *to, long long r, long long q) const
    {
        const bool exists = r < rows && q < columns;
        const long long at = exists ? r * columns + q : 0;
        __pipeline_memcpy_async(to, matrix + at, sizeof(float), exists ? 0 : sizeof(float));
    }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][64];
    const int tx = threadIdx.x, ty = threadIdx.y, lane = tx % 32, warp = ty * 2 + tx / 32;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 64 + tx;
    const Bring from_a{a, m, k}, from_b{b, k, n};
    float sum[8] = {};

    int k0 = 0;
    do {
        for (int r = warp; r < 32; r += 8)
            from_a(&a_tile[r][lane], row0 + r, k0 + lane);
        for (int i = ty; i < 32; i += 4)
            from_b(&b_tile[i][tx], k0 + i, column);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
#pragma unroll
            for (int p = 0; p < 8; p++)
                sum[p] += a_tile[ty * 8 + p][i] * b_tile[i][tx];
        __syncthreads();
    } while ((k0 += 32) < k);

    if (column >= n)
        return;
#pragma unroll
    for (int p = 0; p < 8; p++)
        if (row0 + ty * 8 + p < m)
            c[(row0 + ty * 8 + p) * n + column] = sum[p];
}
