// lesson 6; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: factors come from the tiles, but each product is put into local memory and fetched from there again: two more trips through L1 for each multiplication, about 2.3 times slower than the solution, slower than no tile.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    int nothing = m < 0 ? n : 0;  // 0, which the compiler does not know
    volatile float product[32];

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i++)
            product[(i + nothing) & 31] = a_tile[ty][i] * b_tile[i][tx];  // @multiply
#pragma unroll
        for (int i = 31; i >= 0; i--)
            sum += product[(i + nothing) & 31];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
