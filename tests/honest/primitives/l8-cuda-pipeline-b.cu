// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: libcu++: cuda::pipeline of thread scope with two places, cuda::memcpy_async, padding beyond the edges stored as plain zeros
#include <cuda/pipeline>

LAUNCH(32, 32, 32, 32)

namespace {
struct Stage {
    float a[32][32];
    float b[32][32];
};
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) Stage stages[2];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    auto produce = [&](int step) {
        Stage &s = stages[step & 1];
        const int i = step * 32;
        pipe.producer_acquire();
        if (row < m && i + tx < k)
            cuda::memcpy_async(&s.a[ty][tx], a + (size_t)row * k + i + tx, sizeof(float), pipe);
        else
            s.a[ty][tx] = 0.0f;  // there is nothing to copy
        if (i + ty < k && column < n)
            cuda::memcpy_async(&s.b[ty][tx], b + (size_t)(i + ty) * n + column, sizeof(float), pipe);
        else
            s.b[ty][tx] = 0.0f;
        pipe.producer_commit();
    };

    const int steps = (k + 31) / 32;
    float sum = 0.0f;
    produce(0);
    for (int step = 0; step < steps; ++step) {
        pipe.consumer_wait();  // mine have come
        __syncthreads();       // everybody's have; and all are done with the other place
        if (step + 1 < steps)
            produce(step + 1);
        const Stage &s = stages[step & 1];
#pragma unroll
        for (int i = 0; i < 32; ++i)
            sum += s.a[ty][i] * s.b[i][tx];
        pipe.consumer_release();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
