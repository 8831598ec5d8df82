// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: cuda::barrier and cuda::memcpy_async
#include <cuda/barrier>
LAUNCH(32, 32, 32, 32)

__device__ float nothing;

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float x[32][32], y[32][32];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (tx == 0 && ty == 0)
        init(&bar, 1024);
    __syncthreads();
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        cuda::memcpy_async(&x[ty][tx], row < m && k0 + tx < k ? &a[row * k + k0 + tx] : &nothing, sizeof(float), bar);
        cuda::memcpy_async(&y[ty][tx], k0 + ty < k && column < n ? &b[(k0 + ty) * n + column] : &nothing, sizeof(float), bar);
        bar.arrive_and_wait();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += x[ty][i] * y[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
