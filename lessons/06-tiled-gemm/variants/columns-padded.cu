// threadIdx.x walks along the rows of c: each warp reads a column of a_tile. Here padding
// does help.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][33], b_tile[32][33];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    column = blockIdx.x * 32 + ty;
    row = blockIdx.y * 32 + tx;
    for (int k0 = 0; k0 < k; k0 += 32) {
        int r = blockIdx.y * 32 + ty, q = blockIdx.x * 32 + tx;
        a_tile[ty][tx] = r < m && k0 + tx < k ? a[r * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && q < n ? b[(k0 + ty) * n + q] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[tx][i] * b_tile[i][ty];                   // @multiply
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
