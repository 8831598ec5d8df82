// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline of one thread
#include <cuda/pipeline>
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    auto pipe = cuda::make_pipeline();
    float acc = 0;
    int there = row < m && col < n;
    for (int k0 = 0; k0 < k; k0 += 32) {
        pipe.producer_acquire();
        if (row < m && k0 + tx < k) cuda::memcpy_async(&as[ty][tx], &a[row * k + k0 + tx], sizeof(float), pipe);
        if (k0 + ty < k && col < n) cuda::memcpy_async(&bs[ty][tx], &b[(k0 + ty) * n + col], sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        int have = there ? min(32, k - k0) : 0;
        if (have == 32)
#pragma unroll
            for (int i = 0; i < 32; i++) acc += as[ty][i] * bs[i][tx];
        else
            for (int i = 0; i < have; i++) acc += as[ty][i] * bs[i][tx];
        __syncthreads();
        pipe.consumer_release();
    }
    if (there) c[row * n + col] = acc;
}
