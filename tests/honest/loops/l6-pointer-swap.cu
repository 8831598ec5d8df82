// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: two pairs of tiles, exchanged by pointers: one barrier a step
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float memory[4][32][32];
    float (*x)[32] = memory[0], (*y)[32] = memory[1], (*x_next)[32] = memory[2], (*y_next)[32] = memory[3];
    const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        x[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0;
        y[ty][tx] = column < n && k0 + ty < k ? b[(k0 + ty) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum = fmaf(x[ty][i], y[i][tx], sum);
        float (*swap)[32] = x;
        x = x_next, x_next = swap;
        swap = y, y = y_next, y_next = swap;
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
