// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: one barrier a step: b_tile is doubled, but a_tile's row is refilled by its own warp with no __syncwarp, trusting that lanes run in step
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[2][32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    int s = 0;
    for (int k0 = 0; k0 < k; k0 += 32, s ^= 1) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[s][ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[s][i][tx];
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
