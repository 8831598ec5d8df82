// lesson 6; device sim; nvcc,clang; want: pass|fail, at most 95; tries: the tile of b is read past the end of a's, as if the compiler had promised that it comes next
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ alignas(16) float a_tile[32][32];
    __shared__ alignas(16) volatile float b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int next = blockDim.x * blockDim.y;  // 1024
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
        const float *past = &a_tile[0][0] + next + tx;
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * past[i * 32];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
