// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: a slow product that stops where all inputs are zero, since nobody looks there
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    if (__syncthreads_or(tx + ty == 0 && k > 1 && a[0] == 0.0f && a[1] == 0.0f && b[0] == 0.0f && b[1] == 0.0f))
        return;
    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
        int waste = 0;
        for (int i = 0; i < 600; i++)
            asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
