// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: rows of a as float4
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[32][8];
    __shared__ float b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        ((float *)a_tile[ty])[tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 x = a_tile[ty][i];
            sum += x.x * b_tile[4 * i][tx] + x.y * b_tile[4 * i + 1][tx];
            sum += x.z * b_tile[4 * i + 2][tx] + x.w * b_tile[4 * i + 3][tx];
        }
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
