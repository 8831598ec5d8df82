// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: the position along k is one variable of the block in shared memory, which thread 0 moves on as soon as its own two elements are in the tiles, before the barrier, while other warps may still take their elements by it: a race, and wrong tiles when a warp is late
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ int k0;
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    if (tx == 0 && ty == 0)
        k0 = 0;
    __syncthreads();

    while (k0 < k) {
        int i = k0;
        a_tile[ty][tx] = row < m && i + tx < k ? a[row * k + i + tx] : 0.0f;
        b_tile[ty][tx] = i + ty < k && column < n ? b[(i + ty) * n + column] : 0.0f;
        __syncwarp();
        if (tx == 0 && ty == 0)
            k0 = i + 32;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 32; j++)
            sum += a_tile[ty][j] * b_tile[j][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
