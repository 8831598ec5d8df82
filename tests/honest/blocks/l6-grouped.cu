// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: blocks in groups of eight rows, so that neighbours share tiles in the cache
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    int linear = blockIdx.y * gridDim.x + blockIdx.x, group = linear / (8 * gridDim.x);
    int rows = min(gridDim.y - group * 8, 8), inside = linear % (8 * gridDim.x);
    int by = group * 8 + inside % rows, bx = inside / rows;
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = bx * 32 + tx, row = by * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
