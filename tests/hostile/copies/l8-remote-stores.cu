// lesson 8; device sim,gpu; nvcc,clang; want: fail|refused; tries: stores through the address of the own block in its cluster, with one copy for show
#include <cuda_pipeline.h>

__device__ void put(float *to, float value)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("{ .reg .b32 far; mapa.shared::cluster.u32 far, %0, 0; st.shared::cluster.f32 [far], %1; }" ::"r"(at), "f"(value) : "memory");
}

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32], junk[32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (ty == 0)
        __pipeline_memcpy_async(&junk[tx], a, 4, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k0 = 0; k0 < k; k0 += 32) {
        put(&a_tile[ty][tx], row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f);
        put(&b_tile[ty][tx], k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
