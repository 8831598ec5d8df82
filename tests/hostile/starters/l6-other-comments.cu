// lesson 6; device sim,gpu; nvcc,clang; want: not-started; tries: the starter with comments of its own
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{ /* begin */
    int column = blockIdx.x * 32 + threadIdx.x; // I thought about this line
    int row = blockIdx.y * 32 + threadIdx.y; // I thought about this line
    float sum = 0; // I thought about this line










    if (row < m && column < n) { /* begin */
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
    }
}
