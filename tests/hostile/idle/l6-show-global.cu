// lesson 6; device sim,gpu; nvcc,clang; want: fail; tries: one warp in eight multiplies four times as much; the others read shared memory for show
LAUNCH(32, 8, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
    float sum[16] = {}, junk = 0;
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int r = ty; r < 32; r += 8) {
            a_tile[r][tx] = y0 + r < m && k0 + tx < k ? a[(y0 + r) * k + k0 + tx] : 0.0f;
            b_tile[r][tx] = k0 + r < k && x < n ? b[(k0 + r) * n + x] : 0.0f;
        }
        __syncthreads();
        if (ty < 2)
#pragma unroll
            for (int i = 0; i < 32; i++) {
                float v = b_tile[i][tx];
#pragma unroll
                for (int j = 0; j < 16; j++)
                    sum[j] += a_tile[ty * 16 + j][i] * v;
            }
        else
            for (int i = 0; i < 8; i++)
                junk += b_tile[(i + ty) % 32][tx];
        __syncthreads();
    }
    if (junk == 12345.678f)
        c[0] = junk;
    if (ty < 2 && x < n)
        for (int j = 0; j < 16; j++)
            if (y0 + ty * 16 + j < m)
                c[(y0 + ty * 16 + j) * n + x] = sum[j];
}
