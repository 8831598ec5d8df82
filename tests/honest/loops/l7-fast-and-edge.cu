// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a template for blocks inside and one for blocks at the edge
LAUNCH(16, 16, 64, 64)
template <bool INSIDE>
__device__ void block_product(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        if constexpr (INSIDE) {
            int r = id / 4, i = id % 4 * 4;
            *(float4 *)&a_tile[r][i] = *(const float4 *)&a[(row0 + r) * k + k0 + i];
            r = id / 16, i = id % 16 * 4;
            *(float4 *)&b_tile[r][i] = *(const float4 *)&b[(k0 + r) * n + column0 + i];
        } else
            for (int j = 0; j < 4; j++) {
                int e = id + j * 256, r = e / 16, i = e % 16;
                a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
                r = e / 64, i = e % 64;
                b_tile[r][i] = k0 + r < k && column0 + i < n ? b[(k0 + r) * n + column0 + i] : 0.0f;
            }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] = a_tile[r0 + j][i], y[j] = b_tile[i][q0 + j];
#pragma unroll
            for (int e = 0; e < 16; e++)
                sum[e / 4][e % 4] += x[e / 4] * y[e % 4];
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 16; e++)
        if (INSIDE || (row0 + r0 + e / 4 < m && column0 + q0 + e % 4 < n))
            c[(row0 + r0 + e / 4) * n + column0 + q0 + e % 4] = sum[e / 4][e % 4];
}
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    const bool inside = (blockIdx.y + 1) * 64 <= m && (blockIdx.x + 1) * 64 <= n && k % 16 == 0 && n % 4 == 0;
    if (inside)
        block_product<true>(c, a, b, m, n, k);
    else
        block_product<false>(c, a, b, m, n, k);
}
