// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: the last step multiplies only what there is, and nothing is filled with zeros
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float acc = 0.0f;
    for (int k0 = 0; k0 < k; k0 += 32) {
        if (row < m && k0 + tx < k) as[ty][tx] = a[row * k + k0 + tx];
        if (k0 + ty < k && col < n) bs[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        if (row < m && col < n) {
            if (k - k0 >= 32)
#pragma unroll
                for (int i = 0; i < 32; i++) acc += as[ty][i] * bs[i][tx];
            else
                for (int i = 0; i < k - k0; i++) acc += as[ty][i] * bs[i][tx];
        }
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = acc;
}
