// lesson 7; device sim,gpu; nvcc,clang; want: pass; tries: the next tiles wait in registers while these are multiplied
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {}, next_a[4], next_b[4];
    auto load = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = row0 + e / 16, i = k0 + e % 16, s = k0 + e / 64, q = column0 + e % 64;
            next_a[j] = r < m && i < k ? a[r * k + i] : 0.0f;
            next_b[j] = s < k && q < n ? b[s * n + q] : 0.0f;
        }
    };
    load(0);
    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256;
            a_tile[e / 16][e % 16] = next_a[j];
            b_tile[e / 64][e % 64] = next_b[j];
        }
        __syncthreads();
        load(k0 + 16);
#pragma unroll
        for (int i = 0; i < 16; i++)
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += a_tile[r0 + r][i] * b_tile[i][q0 + q];
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 16; e++)
        if (row0 + r0 + e / 4 < m && column0 + q0 + e % 4 < n)
            c[(row0 + r0 + e / 4) * n + column0 + q0 + e % 4] = sum[e / 4][e % 4];
}
