// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 8 x 32 threads, rows of a 36 words apart, plain indices: as[y][i] * bs[i][4 x + j]
LAUNCH(8, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float as[32][36];
    __shared__ __align__(16) float bs[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32 + y;
    float s[4] = {0, 0, 0, 0};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int j = 0; j < 4; ++j) {
            int e = y * 8 + x + 256 * j, h = e / 32, w = e % 32, r = blockIdx.y * 32 + h, q = blockIdx.x * 32 + w;
            as[h][w] = r < m && k0 + w < k ? a[r * k + k0 + w] : 0.0f;
            bs[h][w] = k0 + h < k && q < n ? b[(k0 + h) * n + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; ++i) {
            float p = as[y][i];
#pragma unroll
            for (int j = 0; j < 4; ++j) s[j] += p * bs[i][x * 4 + j];
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) {
        int q = blockIdx.x * 32 + x * 4 + j;
        if (row < m && q < n) c[row * n + q] = s[j];
    }
}
