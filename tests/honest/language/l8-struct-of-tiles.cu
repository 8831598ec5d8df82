// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: both tiles in a struct, copies in a helper template, wait and barrier in a method
#include <cuda_pipeline.h>

struct Stage {
    alignas(16) float a[32][32], b[32][32];

    template <typename Source> __device__ static void bring(float &to, Source from, bool exists, Source other)
    {
        __pipeline_memcpy_async(&to, exists ? from : other, sizeof to, exists ? 0 : sizeof to);
    }
    __device__ static void meet()
    {
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
    }
};

LAUNCH(32, 16, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage stage;
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum[2] = {0, 0};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int h = 0; h < 32; h += 16) {
            Stage::bring(stage.a[ty + h][tx], a + (row + h) * k + k0 + tx, row + h < m && k0 + tx < k, a);
            Stage::bring(stage.b[ty + h][tx], b + (k0 + ty + h) * n + column, k0 + ty + h < k && column < n, b);
        }
        Stage::meet();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            sum[0] += stage.a[ty][i] * stage.b[i][tx];
            sum[1] += stage.a[ty + 16][i] * stage.b[i][tx];
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; h++)
        if (row + 16 * h < m && column < n)
            c[(row + 16 * h) * n + column] = sum[h];
}
