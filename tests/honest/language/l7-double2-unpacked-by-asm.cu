// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: tiles of double2 that are never doubles: 16 bytes in, four floats out by asm mov.b64; 32 along k
LAUNCH(16, 16, 64, 64)

__device__ __forceinline__ void unpack(float (&four)[4], double2 d)
{
    asm("mov.b64 {%0, %1}, %2;" : "=f"(four[0]), "=f"(four[1]) : "d"(d.x));
    asm("mov.b64 {%0, %1}, %2;" : "=f"(four[2]), "=f"(four[3]) : "d"(d.y));
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ double2 a_tile[64][8], b_tile[32][16];  // 64 x 32 and 32 x 64 floats

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int e = id + j * 256, r = row0 + e / 32, i = k0 + e % 32;
            ((float *)a_tile)[e] = r < m && i < k ? a[r * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int e = id + j * 256, i = k0 + e / 64, q = column0 + e % 64;
            ((float *)b_tile)[e] = i < k && q < n ? b[i * n + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll 2
        for (int chunk = 0; chunk < 8; chunk++) {
            float x[4][4], y[4][4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                unpack(x[p], a_tile[ty * 4 + p][chunk]);
                unpack(y[p], b_tile[chunk * 4 + p][tx]);
            }
#pragma unroll
            for (int e = 0; e < 64; e++)  // e: i, row, column
                sum[e / 4 % 4][e % 4] += x[e / 4 % 4][e / 16] * y[e / 16][e % 4];
        }
        __syncthreads();
    }

    int row = row0 + ty * 4, column = column0 + tx * 4;
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row + p < m && column + q < n)
                c[(row + p) * n + column + q] = sum[p][q];
}
