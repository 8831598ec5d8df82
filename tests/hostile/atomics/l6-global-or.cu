// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate traffic|tile; tries: no tiles: elements are fetched by an or with nothing
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float dummy[32];
    {
        dummy[threadIdx.x] = 1;
        (void)dummy[threadIdx.x];
    }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    if (row < m && column < n) {
        for (int i = 0; i < k; i++)
            sum += __int_as_float(atomicOr((int *)&a[row * k + i], 0)) * __int_as_float(atomicOr((int *)&b[i * n + column], 0));
        c[row * n + column] = sum;
    }
}
