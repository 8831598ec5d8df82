// lesson 7; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp's strip for the way out has 8 rows of 64 + 4 words, but strips lie 8 * 64 words apart: the last 28 words of a warp's row 7 are the first of the next warp's row 0, and only a __syncwarp() lies between storing and reading; all sizes
// 07 register tiling: sums leave through shared memory, so that a warp writes whole rows of c.
LAUNCH(16, 16, 64, 64)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[64][16], b_tile[16][64];
    constexpr int WIDE = 64 + 4;  // rows of a strip begin four banks apart
    __shared__ __align__(16) float strips[8 * 64 * 8 + 8 * 4];

    int id = threadIdx.y * 16 + threadIdx.x, lane = id % 32, warp = id / 32;
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
        __syncthreads();
    }

    // A warp has eight rows of the 64, for itself: it needs no other warp to turn them round.
    float *strip = strips + warp * 8 * 64;
#pragma unroll
    for (int r = 0; r < 4; r++)
        *(float4 *)&strip[(r0 % 8 + r) * WIDE + q0] = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = j * 2 + lane / 16, q = lane % 16 * 4, row = row0 + warp * 8 + r, column = column0 + q;
        float4 four = *(const float4 *)&strip[r * WIDE + q];
        if (row < m && n % 4 == 0 && column < n)
            *(float4 *)&c[row * n + column] = four;
        else if (row < m) {
            const float parts[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int p = 0; p < 4; p++)
                if (column + p < n)
                    c[row * n + column + p] = parts[p];
        }
    }
}
