// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: indices are clamped, and the rest of a is multiplied by zero
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float acc = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 32) {
        {
            float x = a[min(row, m - 1) * k + min(k0 + tx, k - 1)], y = b[min(k0 + ty, k - 1) * n + min(col, n - 1)];
            as[ty][tx] = k0 + tx < k ? x : 0.0f;
            bs[ty][tx] = y;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) acc = fmaf(as[ty][i], bs[i][tx], acc);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = acc;
}
