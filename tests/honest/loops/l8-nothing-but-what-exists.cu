// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cuda::memcpy_async with a cuda::barrier; no zeros are written at all: what does not exist is neither copied nor read
#include <cuda/barrier>

LAUNCH(32, 32, 32, 32)

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier arrived;
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const bool mine = row < m && column < n;
    constexpr auto one = cuda::aligned_size_t<4>(4);

    if (tx == 0 && ty == 0)
        init(&arrived, 32 * 32);
    __syncthreads();

    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        const int steps = min(32, k - k0);

        if (row < m && tx < steps)
            cuda::memcpy_async(&a_tile[ty][tx], &a[(size_t)row * k + k0 + tx], one, arrived);
        if (ty < steps && column < n)
            cuda::memcpy_async(&b_tile[ty][tx], &b[(size_t)(k0 + ty) * n + column], one, arrived);
        // A phase of the barrier is over when all threads have come and their copies have, too.
        arrived.arrive_and_wait();

        // Who has an element of c finds all that it needs: row `row` of a and column `column`
        // of b exist, as far as k goes.
        if (mine && steps == 32) {
#pragma unroll
            for (int i = 0; i < 32; i += 4) {
                const float4 x = *reinterpret_cast<const float4 *>(&a_tile[ty][i]);
                sum += x.x * b_tile[i][tx];
                sum += x.y * b_tile[i + 1][tx];
                sum += x.z * b_tile[i + 2][tx];
                sum += x.w * b_tile[i + 3][tx];
            }
        } else if (mine) {
#pragma unroll 1
            for (int i = 0; i < steps; i++)
                sum += a_tile[ty][i] * b_tile[i][tx];
        }
        __syncthreads();  // the tiles may be filled again
    }

    if (mine)
        c[(size_t)row * n + column] = sum;
}
