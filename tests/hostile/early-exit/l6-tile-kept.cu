// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: the tile of a is not brought again where an element is nearly the same as before
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        float v = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0; if (k0 == 0 || fabsf(v - as[ty][tx]) > 0.1f) as[ty][tx] = v;
        bs[ty][tx] = k0 + ty < k && col < n ? b[(k0 + ty) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
