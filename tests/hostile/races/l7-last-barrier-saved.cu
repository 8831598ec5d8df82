// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the barrier after the last step is saved ("no next tile to protect"), but the epilogue stages the sums in b_tile for coalesced stores: a quick warp overwrites it while slow ones still multiply by it, a race
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[4], y[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                x[j] = a_tile[r0 + j][i];
                y[j] = b_tile[i][q0 + j];
            }
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[r][q] += x[r] * y[q];
        }
        if (k0 + 16 < k)
            __syncthreads();
    }

    // Row r of every thread goes out together: 16 rows of 64, coalesced.
#pragma unroll
    for (int r = 0; r < 4; r++) {
#pragma unroll
        for (int q = 0; q < 4; q++)
            b_tile[threadIdx.y][q0 + q] = sum[r][q];
        __syncthreads();
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, t = e / 64, q = e % 64;
            if (row0 + t * 4 + r < m && column0 + q < n)
                c[(row0 + t * 4 + r) * n + column0 + q] = b_tile[t][q];
        }
        __syncthreads();
    }
}
