// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: k is split within the block, and added up in shared memory
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int half = ty >> 4, y = ty & 15;
    float upper = 0, lower = 0;  // of rows y and y + 16, over this half of k

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float v = b_tile[half * 16 + i][tx];
            upper += a_tile[y][half * 16 + i] * v;
            lower += a_tile[y + 16][half * 16 + i] * v;
        }
        __syncthreads();
    }

    // Each thread keeps the row that is its own and hands the other one over.
    if (half)
        a_tile[y][tx] = upper;
    else
        b_tile[y][tx] = lower;
    __syncthreads();
    float sum = half ? lower + b_tile[y][tx] : upper + a_tile[y][tx];
    if (row < m && column < n)
        c[row * n + column] = sum;
}
