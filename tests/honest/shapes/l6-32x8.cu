// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 32 x 8 threads, four sums each
LAUNCH(32, 8, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
    float sum[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int j = ty; j < 32; j += 8) {
            a_tile[j][tx] = row0 + j < m && k0 + tx < k ? a[(row0 + j) * k + k0 + tx] : 0.0f;
            b_tile[j][tx] = k0 + j < k && column < n ? b[(k0 + j) * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float y = b_tile[i][tx];
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += a_tile[ty + 8 * j][i] * y;
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        if (row0 + ty + 8 * j < m && column < n)
            c[(row0 + ty + 8 * j) * n + column] = sum[j];
}
