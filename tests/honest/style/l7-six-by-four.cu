// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads with 6 x 4 elements each, so a block computes 96 x 64: 10 numbers make 24 products, rows of a are broadcasts, four neighbours of b one 16-byte load, and every element and every place of the tiles has its own guard
LAUNCH(16, 16, 64, 96)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[96][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 96, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 6, q0 = threadIdx.x * 4;
    float sum[6][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 6; j++) {
            int r = j * 16 + id / 16, i = id % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int i = j * 4 + id / 64, q = id % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[6], y[4];
#pragma unroll
            for (int r = 0; r < 6; r++)
                x[r] = a_tile[r0 + r][i];
#pragma unroll
            for (int q = 0; q < 4; q++)
                y[q] = b_tile[i][q0 + q];
#pragma unroll
            for (int r = 0; r < 6; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 6; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
