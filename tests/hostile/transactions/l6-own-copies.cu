// lesson 6; device sim,gpu; nvcc,clang; quick; want: fail, gate traffic; tries: no sharing: each thread fetches its own elements by asynchronous copies
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float mine[2][1024];
    int id = threadIdx.y * 32 + threadIdx.x;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    if (row < m && column < n) {
        for (int i = 0; i < k; i++)
            {
            __pipeline_memcpy_async(&mine[0][id], &a[row * k + i], 4);
            __pipeline_memcpy_async(&mine[1][id], &b[i * n + column], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            sum += mine[0][id] * mine[1][id];
        }
        c[row * n + column] = sum;
    }
}
