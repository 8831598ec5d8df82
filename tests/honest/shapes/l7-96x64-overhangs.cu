// lesson 7; device sim; nvcc,clang; want: full; tries: 48 x 4 threads have 96 x 64 of c, 4 x 8 each: rows 24 apart and two quads of columns 32 apart; chunk q of row r of a is kept at q ^ (r / 2 % 4), so that four rows side by side begin in other banks
LAUNCH(48, 4, 64, 96)

#define REPEAT(i, n) _Pragma("unroll") for (int i = 0; i < (n); i++)

__global__ void __launch_bounds__(192)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ float4 a_tile[96][4], b_tile[16][16];
    float *const a_words = &a_tile[0][0].x, *const b_words = &b_tile[0][0].x;
    const int id = threadIdx.y * 48 + threadIdx.x, tx = id & 7, ty = id >> 3;  // 8 across, 24 down
    const int row0 = blockIdx.y * 96, column0 = blockIdx.x * 64;
    float sum[4][8] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
        REPEAT(j, 8) {
            const int e = id + j * 192, r = e >> 4, i = e & 15;
            a_words[r * 16 + (i ^ (r >> 1 & 3) << 2)] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
        for (int e = id; e < 16 * 64; e += 192) {
            const int i = k0 + (e >> 6), x = column0 + (e & 63);
            b_words[e] = i < k && x < n ? b[i * n + x] : 0.0f;
        }
        __syncthreads();
        REPEAT(j, 4) {
            float x[4][4];
            REPEAT(p, 4) {
                const int r = ty + 24 * p;
                const float4 v = a_tile[r][j ^ (r >> 1 & 3)];
                x[p][0] = v.x, x[p][1] = v.y, x[p][2] = v.z, x[p][3] = v.w;
            }
            REPEAT(i, 4) {
                const float4 u = b_tile[j * 4 + i][tx], v = b_tile[j * 4 + i][tx + 8];
                REPEAT(p, 4) {
                    sum[p][0] = fmaf(x[p][i], u.x, sum[p][0]), sum[p][1] = fmaf(x[p][i], u.y, sum[p][1]);
                    sum[p][2] = fmaf(x[p][i], u.z, sum[p][2]), sum[p][3] = fmaf(x[p][i], u.w, sum[p][3]);
                    sum[p][4] = fmaf(x[p][i], v.x, sum[p][4]), sum[p][5] = fmaf(x[p][i], v.y, sum[p][5]);
                    sum[p][6] = fmaf(x[p][i], v.z, sum[p][6]), sum[p][7] = fmaf(x[p][i], v.w, sum[p][7]);
                }
            }
        }
        __syncthreads();
    }
    REPEAT(p, 4) REPEAT(q, 8) {
        const int row = row0 + ty + 24 * p, x = column0 + (q & 4) * 8 + tx * 4 + (q & 3);
        if (row < m && x < n)
            c[row * n + x] = sum[p][q];
    }
}
