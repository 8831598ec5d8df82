// lesson 7; device sim; nvcc,clang; want: fail; tries: 4 x 2 elements a thread need more than half a wavefront; LAUNCH says that a block covers 192 rows, so that at 128 x 128 x 128 the tiles have room for half as many multiplications again
LAUNCH(16, 16, 32, 192)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][32];

    int id = threadIdx.y * 16 + threadIdx.x;
    int column0 = blockIdx.x * 32, r0 = threadIdx.y * 4, q0 = threadIdx.x * 2;

    for (int row0 = blockIdx.y * 192; row0 < blockIdx.y * 192 + 192 && row0 < m; row0 += 64) {
        float sum[4][2] = {};
        for (int k0 = 0; k0 < k; k0 += 16) {
            for (int j = 0; j < 4; j++) {
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
                float x[4], y[2];
#pragma unroll
                for (int j = 0; j < 4; j++)
                    x[j] = a_tile[r0 + j][i];
                y[0] = b_tile[i][q0];
                y[1] = b_tile[i][q0 + 1];
#pragma unroll
                for (int r = 0; r < 4; r++)
#pragma unroll
                    for (int q = 0; q < 2; q++)
                        sum[r][q] += x[r] * y[q];
            }
            __syncthreads();
        }

#pragma unroll
        for (int r = 0; r < 4; r++)
#pragma unroll
            for (int q = 0; q < 2; q++)
                if (row0 + r0 + r < m && column0 + q0 + q < n)
                    c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
    }
}
