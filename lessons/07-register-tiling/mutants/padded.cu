// The habit of lesson 4: one word more in each row, and the 16-byte loads are gone.
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][17], b_tile[16][65];

    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;  // the block's corner of c
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        // Filling is done: 1024 elements of each tile, four for each thread, zeros past the
        // edges.
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                x[p] = a_tile[threadIdx.y * 4 + p][i];
                y[p] = b_tile[i][threadIdx.x * 4 + p];
            }
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += x[p] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int row = row0 + threadIdx.y * 4 + p, column = column0 + threadIdx.x * 4 + q;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q];
        }
}
