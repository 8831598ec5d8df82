// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: inline PTX cp.async with a source size of 0 or 4 (zfill) and wait_all, 32 x 8 threads with four rows each
LAUNCH(32, 8, 32, 32)

__device__ __forceinline__ void copy_word(float *to, const float *from, bool exists)
{
    const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = exists ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"(place), "l"(__cvta_generic_to_global(from)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void arrive_all()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 32 + tx;
    float sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int r = ty; r < 32; r += 8) {
            const bool in_a = row0 + r < m && k0 + tx < k, in_b = k0 + r < k && column < n;
            copy_word(&a_tile[r][tx], in_a ? a + (size_t)(row0 + r) * k + k0 + tx : a, in_a);
            copy_word(&b_tile[r][tx], in_b ? b + (size_t)(k0 + r) * n + column : b, in_b);
        }
        arrive_all();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float y[4];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                y[j] = b_tile[i + j][tx];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const float4 x = *reinterpret_cast<const float4 *>(&a_tile[ty + 8 * p][i]);
                sum[p] += x.x * y[0] + x.y * y[1] + x.z * y[2] + x.w * y[3];
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; ++p) {
        const int row = row0 + ty + 8 * p;
        if (row < m && column < n)
            c[(size_t)row * n + column] = sum[p];
    }
}
