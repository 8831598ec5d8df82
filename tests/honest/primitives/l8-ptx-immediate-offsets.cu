// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: cp.async in PTX with the row of the tile as an immediate offset in the address operand and a source size of 4 or 0 in a register; four rows a thread, wait_all, then the barrier, and one more after the products
LAUNCH(32, 8, 32, 32)

// Four bytes of `from` to `to` + SHIFT; zeros if there is nothing.
template <int SHIFT>
__device__ __forceinline__ void bring(unsigned to, const float *from, bool have)
{
    asm volatile("cp.async.ca.shared.global [%0+%3], [%1], 4, %2;" ::"r"(to), "l"(__cvta_generic_to_global(from)),
                 "r"(have ? 4 : 0), "n"(SHIFT) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ float b_tile[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
    const unsigned a_at = (unsigned)__cvta_generic_to_shared(&a_tile[ty][tx]);
    const unsigned b_at = (unsigned)__cvta_generic_to_shared(&b_tile[ty][tx]);
    float sum[4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#define ROW_OF_A(j) { const bool have = row + j < m && k0 + tx < k;                                     \
                      bring<j * 128>(a_at, have ? a + (row + j) * k + k0 + tx : a, have); }
#define ROW_OF_B(j) { const bool have = k0 + ty + j < k && column < n;                                  \
                      bring<j * 128>(b_at, have ? b + (k0 + ty + j) * n + column : b, have); }
        ROW_OF_A(0) ROW_OF_A(8) ROW_OF_A(16) ROW_OF_A(24)
        ROW_OF_B(0) ROW_OF_B(8) ROW_OF_B(16) ROW_OF_B(24)
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float4 x[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = *reinterpret_cast<const float4 *>(&a_tile[ty + 8 * j][i]);
            const float b0 = b_tile[i][tx], b1 = b_tile[i + 1][tx], b2 = b_tile[i + 2][tx], b3 = b_tile[i + 3][tx];
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += x[j].x * b0 + x[j].y * b1 + x[j].z * b2 + x[j].w * b3;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (row + 8 * j < m && column < n)
            c[(row + 8 * j) * n + column] = sum[j];
}
