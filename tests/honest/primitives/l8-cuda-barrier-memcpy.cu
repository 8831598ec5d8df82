// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: libcu++: cuda::barrier of the block with cuda::memcpy_async bound to it, arrive_and_wait; zeros are stored where nothing exists
#include <cuda/barrier>

LAUNCH(32, 32, 32, 32)

using barrier_t = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];
    __shared__ barrier_t ready;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (tx == 0 && ty == 0)
        init(&ready, 1024);
    __syncthreads();

    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        if (row < m && k0 + tx < k)
            cuda::memcpy_async(&a_tile[ty][tx], &a[(size_t)row * k + k0 + tx], cuda::aligned_size_t<4>(4), ready);
        else
            a_tile[ty][tx] = 0;
        if (k0 + ty < k && column < n)
            cuda::memcpy_async(&b_tile[ty][tx], &b[(size_t)(k0 + ty) * n + column], cuda::aligned_size_t<4>(4), ready);
        else
            b_tile[ty][tx] = 0;
        ready.arrive_and_wait();

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
