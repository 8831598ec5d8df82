// lesson 6; device sim,gpu; nvcc,clang; want: fail|refused; tries: one warp of 32 computes the tile
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float x[32][32], y[32][32];
    if (threadIdx.y > 0)
        return;
    int lane = threadIdx.x, row0 = blockIdx.y * 32, column = blockIdx.x * 32 + lane;
    float sum[32] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 32; j++) {
            x[j][lane] = row0 + j < m && k0 + lane < k ? a[(row0 + j) * k + k0 + lane] : 0.0f;
            y[j][lane] = k0 + j < k && column < n ? b[(k0 + j) * n + column] : 0.0f;
        }
        __syncwarp();
#pragma unroll 4
        for (int i = 0; i < 32; i++) {
            float v = y[i][lane];
#pragma unroll
            for (int j = 0; j < 32; j++)
                sum[j] += x[j][i] * v;
        }
        __syncwarp();
    }
#pragma unroll
    for (int j = 0; j < 32; j++)
        if (row0 + j < m && column < n)
            c[(row0 + j) * n + column] = sum[j];
}
