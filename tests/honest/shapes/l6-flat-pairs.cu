// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: one-dimensional blocks of 512, two sums a thread in a struct
struct Pair {
    float low = 0, high = 0;
};

LAUNCH(512, 1, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    const int tx = threadIdx.x % 32, ty = threadIdx.x / 32, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    Pair sum;
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int h = 0; h < 32; h += 16) {
            a_tile[ty + h][tx] = row + h < m && k0 + tx < k ? a[(row + h) * k + k0 + tx] : 0.0f;
            b_tile[ty + h][tx] = k0 + ty + h < k && column < n ? b[(k0 + ty + h) * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float y = b_tile[i][tx];
            sum.low = fmaf(a_tile[ty][i], y, sum.low);
            sum.high = fmaf(a_tile[ty + 16][i], y, sum.high);
        }
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum.low;
    if (row + 16 < m && column < n)
        c[(row + 16) * n + column] = sum.high;
}
