// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: three places, two steps ahead
#include <cuda_pipeline.h>
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[3][32][32], b_tile[3][32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    int issued = 0, steps = (k + 31) / 32;
    auto issue = [&] {
        int k0 = issued * 32, place = issued % 3;
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        __pipeline_memcpy_async(&a_tile[place][ty][tx], in_a ? &a[row * k + k0 + tx] : a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&b_tile[place][ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        issued++;
    };
    issue(), issue();
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        issue();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[step % 3][ty][i] * b_tile[step % 3][i][tx];
    }
    __pipeline_wait_prior(0);
    if (row < m && column < n)
        c[row * n + column] = sum;
}
