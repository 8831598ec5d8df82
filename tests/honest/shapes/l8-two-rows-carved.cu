// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: 32 x 16 threads with two rows each, tiles carved out of dynamic shared memory, copies in groups for a and b
#include <cuda_pipeline.h>

constexpr int TILE_BYTES = 32 * 32 * sizeof(float);
LAUNCH(32, 16, 32, 32, 2 * TILE_BYTES)

extern __shared__ __align__(16) unsigned char memory[];

// A matrix that knows its edges; outside of it a copy brings zeros.
struct Source {
    const float *first;
    int rows, columns;
    __device__ __forceinline__ void copy_to(float *to, int r, int c) const
    {
        const bool there = r < rows && c < columns;
        __pipeline_memcpy_async(to, first + (there ? r * columns + c : 0), sizeof(float), there ? 0 : sizeof(float));
    }
};

__global__ void __launch_bounds__(512) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    float(&a_tile)[32][32] = *reinterpret_cast<float(*)[32][32]>(memory);
    float(&b_tile)[32][32] = *reinterpret_cast<float(*)[32][32]>(memory + TILE_BYTES);

    const Source from_a{a, m, k}, from_b{b, k, n};
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float upper = 0, lower = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        from_a.copy_to(&a_tile[ty][tx], row, k0 + tx);
        from_a.copy_to(&a_tile[ty + 16][tx], row + 16, k0 + tx);
        __pipeline_commit();
        from_b.copy_to(&b_tile[ty][tx], k0 + ty, column);
        from_b.copy_to(&b_tile[ty + 16][tx], k0 + ty + 16, column);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++) {
            const float factor = b_tile[i][tx];
            upper += a_tile[ty][i] * factor;
            lower += a_tile[ty + 16][i] * factor;
        }
        __syncthreads();
    }

    if (column < n) {
        if (row < m)
            c[row * n + column] = upper;
        if (row + 16 < m)
            c[(row + 16) * n + column] = lower;
    }
}
