// Further: 8 x 8 elements a thread, 128 x 128 a block, in steps of 8 along k. 16 numbers make 64 products.
LAUNCH(16, 16, 128, 128)

__global__ void __launch_bounds__(256, 2)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[128][8], b_tile[8][128];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;

    // Eight columns side by side would set neighbours eight words apart, and 16-byte loads would
    // conflict. So a thread has two squares of four columns, 64 apart, and two of four rows.
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[8][8] = {};

    for (int k0 = 0; k0 < k; k0 += 8) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 8, i = e % 8;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 128, q = e % 128;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                x[j] = a_tile[r0 + j / 4 * 64 + j % 4][i];  // @a
                y[j] = b_tile[i][q0 + j / 4 * 64 + j % 4];  // @b
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
            int row = row0 + r0 + r / 4 * 64 + r % 4, column = column0 + q0 + q / 4 * 64 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum[r][q];
        }
}
