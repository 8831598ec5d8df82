// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate traffic; tries: no tiles, loads through the read-only path
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float dummy[32];
    if (threadIdx.y == 0) {
        dummy[threadIdx.x] = 1;
        (void)dummy[threadIdx.x];
    }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    if (row < m && column < n) {
        for (int i = 0; i < k; i++)
            sum += __ldg(&a[row * k + i]) * __ldg(&b[i * n + column]);
        c[row * n + column] = sum;
    }
}
