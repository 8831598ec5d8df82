// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: keeps b in device memory from the run before
__device__ float kept[128 * 128];
__device__ int filled;

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        if (m == 128 && filled) {
            b_tile[ty][tx] = kept[(k0 + ty) * 128 + column];
        } else {
            b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
            if (m == 128)
                kept[(k0 + ty) * 128 + column] = b_tile[ty][tx];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        {
        c[row * n + column] = sum;
        if (m == 128)
            filled = 1;
    }
}
