// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: 8 x 4 elements a thread, 128 threads
LAUNCH(16, 8, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 8, q0 = threadIdx.x * 4;
    float sum[8][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int e = id; e < 1024; e += 128) {
            int r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int e = id; e < 1024; e += 128) {
            int i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 y = *(const float4 *)&b_tile[i][q0];
#pragma unroll
            for (int r = 0; r < 8; r++) {
                float x = a_tile[r0 + r][i];
                sum[r][0] += x * y.x, sum[r][1] += x * y.y, sum[r][2] += x * y.z, sum[r][3] += x * y.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + r0 + r < m && column0 + q0 + q < n)
                c[(row0 + r0 + r) * n + column0 + q0 + q] = sum[r][q];
}
