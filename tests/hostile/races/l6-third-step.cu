// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the second barrier is left out in the third step, which few sizes have
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        as[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0;
        bs[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) sum += as[ty][i] * bs[i][tx];
        if (k0 != 64) __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
