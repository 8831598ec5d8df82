// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate tile|speed; tries: 32 sums a thread and shuffles; a dummy in shared memory
LAUNCH(32, 1, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ volatile float dummy[32];
    dummy[threadIdx.x] = 1;
    (void)dummy[threadIdx.x];
    int lane = threadIdx.x, row0 = blockIdx.y * 32, column = blockIdx.x * 32 + lane;
    float sum[32] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        float x[32];
#pragma unroll
        for (int r = 0; r < 32; r++)
            x[r] = row0 + r < m && k0 + lane < k ? a[(row0 + r) * k + k0 + lane] : 0.0f;
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            float y = k0 + i < k && column < n ? b[(k0 + i) * n + column] : 0.0f;
#pragma unroll
            for (int r = 0; r < 32; r++)
                sum[r] += __shfl_sync(~0u, x[r], i) * y;
        }
    }
#pragma unroll
    for (int r = 0; r < 32; r++)
        if (row0 + r < m && column < n)
            c[(row0 + r) * n + column] = sum[r];
}
