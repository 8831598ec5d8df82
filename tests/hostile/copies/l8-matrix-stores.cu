// lesson 8; device sim,gpu; nvcc,clang; want: fail|refused; tries: tiles filled by stmatrix, with one copy for show
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];
    __shared__ float junk[32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (ty == 0)
        __pipeline_memcpy_async(&junk[tx], a, 4, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k0 = 0; k0 < k; k0 += 32) {
        float x = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        float y = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        unsigned to_a = (unsigned)__cvta_generic_to_shared(&a_tile[ty][tx % 8 * 4]);
        unsigned to_b = (unsigned)__cvta_generic_to_shared(&b_tile[ty][tx % 8 * 4]);
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(to_a), "r"(__float_as_uint(x)) : "memory");
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(to_b), "r"(__float_as_uint(y)) : "memory");
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
