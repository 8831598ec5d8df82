// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: the row of a read by float4, extra barriers, steps counted down
LAUNCH(32, 32, 32, 32)
__global__ void __launch_bounds__(1024) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float at[32][32];
    __shared__ float bt[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float part0 = 0, part1 = 0;
    for (int step = (k + 31) / 32 - 1; step >= 0; --step) {
        int ka = step * 32 + tx, kb = step * 32 + ty;
        __syncthreads();
        at[ty][tx] = 0; bt[ty][tx] = 0;
        __syncthreads();
        if (row < m) if (ka < k) at[ty][tx] = a[row * k + ka];
        if (col < n) if (kb < k) bt[ty][tx] = b[kb * n + col];
        __syncthreads();
        const float4 *q = (const float4 *)at[ty];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 f = q[i];
            part0 += f.x * bt[4 * i][tx]; part1 += f.y * bt[4 * i + 1][tx];
            part0 += f.z * bt[4 * i + 2][tx]; part1 += f.w * bt[4 * i + 3][tx];
        }
    }
    if (row >= m || col >= n) return;
    c[row * n + col] = part0 + part1;
}
