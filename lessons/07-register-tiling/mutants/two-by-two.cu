// Only 2 x 2 elements for each thread.
LAUNCH(16, 16, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][16], b_tile[16][32];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;

    int r0 = threadIdx.y * 2, q0 = threadIdx.x * 2;
    float sum[2][2] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 2; j++) {
            int e = id + j * 256, i = e / 32, q = e % 32;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[2], y[2];
#pragma unroll
            for (int j = 0; j < 2; j++) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[i][q0 + j];
            }
#pragma unroll
            for (int r = 0; r < 2; r++)
#pragma unroll
                for (int q = 0; q < 2; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int q = 0; q < 2; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
