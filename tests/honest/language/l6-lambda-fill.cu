// lesson 6; device sim,gpu; nvcc,clang; quick; want: full; tries: a lambda reads an element or zero, fmaf adds
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    auto at = [](const float *x, int r, int q, int rows, int columns) { return r < rows && q < columns ? x[r * columns + q] : 0.0f; };
    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = at(a, row, k0 + tx, m, k);
        b_tile[ty][tx] = at(b, k0 + ty, column, k, n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = fmaf(a_tile[ty][i], b_tile[i][tx], sum);
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
