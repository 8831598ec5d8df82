// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: tiles are filled and read as they should; the sums come from shuffles
LAUNCH(32, 1, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float a_tile[32][32];
    int lane = threadIdx.x, row0 = blockIdx.y * 32, column = blockIdx.x * 32 + lane;
    float sum[32] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        float x[32];
#pragma unroll
        for (int r = 0; r < 32; r++) {
            x[r] = row0 + r < m && k0 + lane < k ? a[(row0 + r) * k + k0 + lane] : 0.0f;
            a_tile[r][lane] = x[r];
        }
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            float y = k0 + i < k && column < n ? b[(k0 + i) * n + column] : 0.0f;
            (void)a_tile[0][i];
#pragma unroll
            for (int r = 0; r < 32; r++)
                sum[r] += __shfl_sync(~0u, x[r], i) * y;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 32; r++)
        if (row0 + r < m && column < n)
            c[(row0 + r) * n + column] = sum[r];
}
