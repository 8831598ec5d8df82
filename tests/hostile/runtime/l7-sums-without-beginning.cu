// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate correct, diagnosis unset; tries: the sums begin with what their registers held before
LAUNCH(16, 16, 64, 64)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float x[64][16], y[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float sum[4][4];
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            x[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
            int s = e / 64, q = e % 64;
            y[s][q] = k0 + s < k && col0 + q < n ? b[(k0 + s) * n + col0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 v = *(const float4 *)&y[i][tx * 4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                float u = x[ty * 4 + p][i];
                sum[p][0] += u * v.x; sum[p][1] += u * v.y; sum[p][2] += u * v.z; sum[p][3] += u * v.w;
            }
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && col0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + col0 + tx * 4 + q] = sum[p][q];
}
