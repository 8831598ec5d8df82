// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cuda::pipeline and cuda::memcpy_async, no zeros at all: what does not exist is neither copied nor multiplied
#include <cuda/pipeline>

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const bool mine = row < m && column < n;  // this thread has an element of c
    const cuda::aligned_size_t<4> one(4);
    auto pipe = cuda::make_pipeline();
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        pipe.producer_acquire();
        if (row < m && k0 + tx < k)
            cuda::memcpy_async(&a_tile[ty][tx], &a[row * k + k0 + tx], one, pipe);
        if (k0 + ty < k && column < n)
            cuda::memcpy_async(&b_tile[ty][tx], &b[(k0 + ty) * n + column], one, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();  // my copies are here
        __syncthreads();       // and everybody's

        if (mine) {
            const float4 *chunks = reinterpret_cast<const float4 *>(a_tile[ty]);
            if (k0 + 32 <= k) {
#pragma unroll
                for (int q = 0; q < 8; ++q) {
                    const float4 x = chunks[q];
                    sum += x.x * b_tile[4 * q][tx];
                    sum += x.y * b_tile[4 * q + 1][tx];
                    sum += x.z * b_tile[4 * q + 2][tx];
                    sum += x.w * b_tile[4 * q + 3][tx];
                }
            } else
                for (int i = 0; i < k - k0; ++i)  // the last tiles are only so deep
                    sum += a_tile[ty][i] * b_tile[i][tx];
        }
        pipe.consumer_release();
        __syncthreads();  // all have read: the tiles may be overwritten
    }

    if (mine)
        c[row * n + column] = sum;
}
