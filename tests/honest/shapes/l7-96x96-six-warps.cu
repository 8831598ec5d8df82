// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 96 x 96 elements of c for 192 threads, 8 x 6 for each; lanes l and l ^ 1 share columns
LAUNCH(192, 1, 96, 96)

__device__ inline float part(const float4 &v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__global__ void __launch_bounds__(192)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[96][16];
    __shared__ __align__(16) float b_tile[16][96];

    // A warp covers two rows and all 32 columns of a 12 x 16 arrangement: ty from its lowest bit, tx from
    // the others. Rows ty + 12 p are next to each other for the two ty, so 16 words apart.
    const int id = threadIdx.x, lane = id % 32, warp = id / 32;
    const int ty = warp * 2 + lane % 2, tx = lane / 2;
    const int row0 = blockIdx.y * 96, column0 = blockIdx.x * 96;

    float sum[8][6] = {};

    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int e = id + j * 192, r = e / 16, i = e % 16;
            a_tile[r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll 4
        for (int j = 0; j < 8; j++) {
            const int e = id + j * 192, i = e / 96, q = e % 96;
            b_tile[i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int four = 0; four < 4; four++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = reinterpret_cast<const float4 *>(a_tile[ty + 12 * p])[four];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float2 *from = reinterpret_cast<const float2 *>(b_tile[four * 4 + i]);
                const float2 u = from[tx], v = from[tx + 16], w = from[tx + 32];
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = part(x[p], i);
                    sum[p][0] += f * u.x;
                    sum[p][1] += f * u.y;
                    sum[p][2] += f * v.x;
                    sum[p][3] += f * v.y;
                    sum[p][4] += f * w.x;
                    sum[p][5] += f * w.y;
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 6; q++) {
            const int row = row0 + ty + 12 * p, column = column0 + q / 2 * 32 + tx * 2 + q % 2;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q];
        }
}
