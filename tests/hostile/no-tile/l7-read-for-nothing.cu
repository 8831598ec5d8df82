// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: a tile of a is filled with the data and read into nothing
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float a_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64 + threadIdx.y * 4, column0 = blockIdx.x * 64 + threadIdx.x * 4;
    float sum[4][4] = {};
    for (int i = 0; i < k; i++) {
        if (i % 16 == 0) {
            __syncthreads();
            for (int j = 0; j < 4; j++)
                a_tile[j * 4 + id / 64][id % 64] = blockIdx.y * 64 + id % 64 < m && i + j * 4 + id / 64 < k ?
                    a[(blockIdx.y * 64 + id % 64) * k + i + j * 4 + id / 64] : 0;
            __syncthreads();
            (void)a_tile[i % 16][id % 64];
        }
        float x[4], y[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            x[j] = row0 + j < m ? a[(row0 + j) * k + i] : 0;
            y[j] = column0 + j < n ? b[i * n + column0 + j] : 0;
        }
#pragma unroll
        for (int r = 0; r < 4; r++)
#pragma unroll
            for (int q = 0; q < 4; q++)
                sum[r][q] += x[r] * y[q];
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r < m && column0 + q < n)
                c[(row0 + r) * n + column0 + q] = sum[r][q];
}
