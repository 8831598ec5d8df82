// lesson 7; device sim,gpu; nvcc,clang; want: fail|timeout; tries: m or n no multiple of 64 (e.g. 70 x 70 x 70, 33 x 65 x 17): blocks at the edge stage their rows in a_tile while slower warps still multiply from it, since the last step's second barrier is left out
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[64][16];
    __shared__ __align__(16) float b_tile[16][64];

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
        if (k0 + 16 < k)  // nothing is filled after the last step
            __syncthreads();
    }

    if (row0 + 64 <= m && column0 + 64 <= n && n % 4 == 0) {
#pragma unroll
        for (int r = 0; r < 4; r++)
            *(float4 *)&c[(row0 + r0 + r) * n + column0 + q0] =
                make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        return;
    }

    // The edge: a warp's two rows at a time through shared memory, so that lanes store neighbours.
    int warp = id / 32, lane = id % 32;
    float *stage = &a_tile[0][0] + warp * 128;
#pragma unroll
    for (int r = 0; r < 4; r++) {
        *(float4 *)&stage[lane / 16 * 64 + q0] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        __syncwarp();
        for (int j = 0; j < 4; j++) {
            int e = j * 32 + lane, row = row0 + (warp * 2 + e / 64) * 4 + r, column = column0 + e % 64;
            if (row < m && column < n)
                c[row * n + column] = stage[e];
        }
        __syncwarp();
    }
}
