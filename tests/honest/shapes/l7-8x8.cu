// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: 8 x 8 sums a thread
LAUNCH(16, 16, 128, 128)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[128][16], b_tile[16][128];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    int r0 = threadIdx.y * 8, q0 = threadIdx.x * 4;
    float sum[8][8] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 2048; e += 256) {
            int r = e / 16, i = e % 16, s = e / 128, q = e % 128;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
            b_tile[s][q] = k0 + s < k && column0 + q < n ? b[(k0 + s) * n + column0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[8], y[8];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[i][j / 4 * 64 + q0 + j % 4];
            }
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int row = row0 + r0 + r, column = column0 + q / 4 * 64 + q0 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum[r][q];
        }
}
