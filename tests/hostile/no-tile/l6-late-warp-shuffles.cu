// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: at the modelled size a comes by shuffles, not through its tile
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        float mine = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        a_tile[ty][tx] = mine;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
        if (k <= 1000) {
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        } else {
#pragma unroll
            for (int i = 0; i < 32; i++)
                sum += __shfl_sync(~0u, mine, i) * b_tile[i][tx];
        }
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
