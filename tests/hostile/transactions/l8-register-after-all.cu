// lesson 8; device sim,gpu; nvcc,clang; want: fail; tries: each thread copies into a slot of its own, waits, loads it into a register and stores it to the tile, by st.shared::cluster so that no store is counted
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

__device__ void put(unsigned base, int index, float value)
{
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(base + index * 4), "f"(value) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32], slot[2][1024];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 32 + tx;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    unsigned self, a_base, b_base;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(self));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a_base) : "r"((unsigned)__cvta_generic_to_shared(a_tile)), "r"(self));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(b_base) : "r"((unsigned)__cvta_generic_to_shared(b_tile)), "r"(self));
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        __pipeline_memcpy_async(&slot[0][id], in_a ? a + row * k + k0 + tx : a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&slot[1][id], in_b ? b + (k0 + ty) * n + column : b, 4, in_b ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        float x = *(volatile float *)&slot[0][id], y = *(volatile float *)&slot[1][id];
        put(a_base, id, x);
        put(b_base, id, y);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float4 x4 = *(const float4 *)&a_tile[ty][i];
            sum += x4.x * b_tile[i][tx] + x4.y * b_tile[i + 1][tx] + x4.z * b_tile[i + 2][tx] + x4.w * b_tile[i + 3][tx];
        }
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
