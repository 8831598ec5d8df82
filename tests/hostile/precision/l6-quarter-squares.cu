// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a b is computed as ((a + b)^2 - a^2 - b^2) / 2: all digits cancel where the factors differ in size (m = n = k = 1, a = 1e4, b = 1e-4 gives 0 and not 1)
// 06 tiled GEMM: c = a b.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();

        // 2 x y = (x + y)^2 - x^2 - y^2
        float twice = 0;
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float x = a_tile[ty][i], y = b_tile[i][tx];  // @multiply
            float both = x + y;
            twice = fmaf(both, both, twice);
            twice = fmaf(-x, x, twice);
            twice = fmaf(-y, y, twice);
        }
        sum += 0.5f * twice;
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
