// lesson 6; device sim,gpu; nvcc,clang; want: pass; tries: 16 x 16 threads with 2 x 2 elements each, steps of 16
LAUNCH(16, 16, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[32][16], bs[16][32];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 512; e += 256) {
            int r = e / 16, i = e % 16;
            as[r][i] = r0 + r < m && k0 + i < k ? a[(r0 + r) * k + k0 + i] : 0.0f;
            int ii = e / 32, q = e % 32;
            bs[ii][q] = k0 + ii < k && c0 + q < n ? b[(k0 + ii) * n + c0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x0 = as[ty][i], x1 = as[ty + 16][i], y0 = bs[i][tx], y1 = bs[i][tx + 16];
            s00 += x0 * y0, s01 += x0 * y1, s10 += x1 * y0, s11 += x1 * y1;
        }
        __syncthreads();
    }
    int r = r0 + ty, q = c0 + tx;
    if (r < m && q < n) c[r * n + q] = s00;
    if (r < m && q + 16 < n) c[r * n + q + 16] = s01;
    if (r + 16 < m && q < n) c[(r + 16) * n + q] = s10;
    if (r + 16 < m && q + 16 < n) c[(r + 16) * n + q + 16] = s11;
}
