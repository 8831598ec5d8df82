// lesson 8; device sim,gpu; nvcc,clang; want: fail; tries: cuda::memcpy_async is handed char pointers and a plain size, so that nothing tells it of an alignment of four: libcu++ then copies synchronously through registers, byte by byte, and no copy is asynchronous at all
#include <cuda/pipeline>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    auto pipe = cuda::make_pipeline();

    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        pipe.producer_acquire();
        if (in_a)
            cuda::memcpy_async((char *)&a_tile[ty][tx], (const char *)&a[row * k + k0 + tx], sizeof(float), pipe);
        else
            a_tile[ty][tx] = 0;
        if (in_b)
            cuda::memcpy_async((char *)&b_tile[ty][tx], (const char *)&b[(k0 + ty) * n + column], sizeof(float), pipe);
        else
            b_tile[ty][tx] = 0;
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        pipe.consumer_release();
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
