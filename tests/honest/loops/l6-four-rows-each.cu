// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 32 x 8 threads, four rows of c each, explicit float4 views of a's tile along k
LAUNCH(32, 8, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32];
    __shared__ __align__(16) float b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 32 + tx;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    int k0 = 0;
    do {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int r = ty + 8 * j;
            a_tile[r][tx] = row0 + r < m && k0 + tx < k ? __ldg(a + (size_t)(row0 + r) * k + k0 + tx) : 0.0f;
            b_tile[r][tx] = k0 + r < k && column < n ? __ldg(b + (size_t)(k0 + r) * n + column) : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float y0 = b_tile[i][tx], y1 = b_tile[i + 1][tx], y2 = b_tile[i + 2][tx], y3 = b_tile[i + 3][tx];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const float4 x = *reinterpret_cast<const float4 *>(&a_tile[ty + 8 * p][i]);
                sum[p] = fmaf(x.x, y0, sum[p]);
                sum[p] = fmaf(x.y, y1, sum[p]);
                sum[p] = fmaf(x.z, y2, sum[p]);
                sum[p] = fmaf(x.w, y3, sum[p]);
            }
        }
        __syncthreads();
        k0 += 32;
    } while (k0 < k);

#pragma unroll
    for (int p = 0; p < 4; ++p)
        if (row0 + ty + 8 * p < m && column < n)
            c[(size_t)(row0 + ty + 8 * p) * n + column] = sum[p];
}
