// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: after half of the steps along k each thread parks its sum in c and takes it up again by __ldg at the end; __ldg is for what nobody writes while the kernel runs, so that load may give, or be moved up to, what stood there before: undefined
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    bool mine = row < m && column < n;
    int steps = (k + 31) / 32, half = steps / 2;
    float sum = 0;

    for (int step = 0; step < steps; step++) {
        int k0 = step * 32;
        if (step == half && half > 0) {  // give the register back
            if (mine)
                c[row * n + column] = sum;
            sum = 0;
        }
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }

    if (mine)
        c[row * n + column] = half > 0 ? sum + __ldg(&c[row * n + column]) : sum;
}
