// lesson 6; device sim; nvcc,clang; want: fail; tries: the barrier is __syncthreads_or, and the walk along k ENDS at the first tile of a that is all zeros, though later tiles need not be
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        float x = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        float y = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        a_tile[ty][tx] = x;
        b_tile[ty][tx] = y;
        if (!__syncthreads_or(x != 0.0f))  // filled; nothing but zeros from here on: done
            break;

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
