// lesson 7; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: only b has a tile: a goes from global memory (L1) straight to registers, four words at a time, and the finished sums change places in shared memory at the end so that all of c came through it
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float b_tile[16][64];
    int id = threadIdx.y * 16 + threadIdx.x;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int r0 = threadIdx.y * 4, q0 = threadIdx.x * 4;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, i = e / 64, q = e % 64;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();
        bool whole = row0 + 64 <= m && k0 + 16 <= k && k % 4 == 0;
#pragma unroll
        for (int i0 = 0; i0 < 16; i0 += 4) {
            float x[4][4];
            if (whole) {
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float4 w = *(const float4 *)&a[(row0 + r0 + p) * k + k0 + i0];
                    x[p][0] = w.x, x[p][1] = w.y, x[p][2] = w.z, x[p][3] = w.w;
                }
            } else {
#pragma unroll
                for (int p = 0; p < 4; p++)
#pragma unroll
                    for (int i = 0; i < 4; i++)
                        x[p][i] = row0 + r0 + p < m && k0 + i0 + i < k ? a[(row0 + r0 + p) * k + k0 + i0 + i] : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y = *(const float4 *)&b_tile[i0 + i][q0];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    sum[p][0] += x[p][i] * y.x;
                    sum[p][1] += x[p][i] * y.y;
                    sum[p][2] += x[p][i] * y.z;
                    sum[p][3] += x[p][i] * y.w;
                }
            }
        }
        __syncthreads();
    }

    // Each thread writes its neighbour's sums.
    float *slot = &b_tile[0][0];
    int other = id ^ 1, column = column0 + (threadIdx.x ^ 1) * 4;
#pragma unroll
    for (int p = 0; p < 4; p++) {
#pragma unroll
        for (int q = 0; q < 4; q++)
            slot[q * 256 + id] = sum[p][q];
        __syncwarp();
        int row = row0 + r0 + p;
#pragma unroll
        for (int q = 0; q < 4; q++) {
            float value = slot[q * 256 + other];
            if (row < m && column + q < n)
                c[row * n + column + q] = value;
        }
        __syncwarp();
    }
}
