// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: rows and columns 16 apart for a thread, not side by side
LAUNCH(16, 16, 64, 64)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[64][16], bs[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 1024; e += 256) {
            int r = e / 16, i = e % 16;
            as[r][i] = r0 + r < m && k0 + i < k ? a[(r0 + r) * k + k0 + i] : 0.0f;
            r = e / 64, i = e % 64;
            bs[r][i] = k0 + r < k && c0 + i < n ? b[(k0 + r) * n + c0 + i] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = as[ty + 16 * p][i], y[p] = bs[i][tx + 16 * p];
#pragma unroll
            for (int p = 0; p < 16; p++)
                acc[p / 4][p % 4] += x[p / 4] * y[p % 4];
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 16; p++)
        if (r0 + ty + p / 4 * 16 < m && c0 + tx + p % 4 * 16 < n)
            c[(r0 + ty + p / 4 * 16) * n + c0 + tx + p % 4 * 16] = acc[p / 4][p % 4];
}
