// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: 4 x 4 sums a thread, every number straight from global memory, a dummy in shared memory
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float dummy[256];
    dummy[threadIdx.y * 16 + threadIdx.x] = 1;
    (void)dummy[threadIdx.y * 16 + threadIdx.x];
    int row0 = blockIdx.y * 64 + threadIdx.y * 4, column0 = blockIdx.x * 64 + threadIdx.x * 4;
    float sum[4][4] = {};
    for (int i = 0; i < k; i++) {
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
