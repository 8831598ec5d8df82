// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate tile|tiles, diagnosis one-fills; tries: one warp of 32 fills both tiles
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float acc = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int j = 0; j < 32 && ty == 0; j++) {
            as[j][tx] = row + j < m && k0 + tx < k ? a[(row + j) * k + k0 + tx] : 0.0f;
            bs[j][tx] = k0 + j < k && col < n ? b[(k0 + j) * n + col] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) acc = fmaf(as[ty][i], bs[i][tx], acc);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = acc;
}
