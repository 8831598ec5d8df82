// lesson 7; device sim; nvcc,clang; want: pass; tries: a ninth warp brings the next tiles while eight multiply
LAUNCH(16, 18, 64, 64)

__global__ void __launch_bounds__(288) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[2][64][16], b_tile[2][16][64];

    int tx = threadIdx.x, ty = threadIdx.y, lane = (ty % 2) * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;
    bool brings = ty >= 16;
    float sum[4][4] = {};

    auto bring = [&](int step) {
        int stage = step % 2, k0 = step * 16;
#pragma unroll 8
        for (int e = lane; e < 1024; e += 32) {
            int r = e / 16, i = e % 16;
            a_tile[stage][r][i] = row0 + r < m && k0 + i < k ? a[(row0 + r) * k + k0 + i] : 0.0f;
        }
#pragma unroll 8
        for (int e = lane; e < 1024; e += 32) {
            int i = e / 64, q = e % 64;
            b_tile[stage][i][q] = k0 + i < k && column0 + q < n ? b[(k0 + i) * n + column0 + q] : 0.0f;
        }
    };

    if (brings)
        bring(0);
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        if (brings) {
            if (step + 1 < steps)
                bring(step + 1);
        } else {
#pragma unroll
            for (int i = 0; i < 16; i++) {
                float4 y = *(const float4 *)&b_tile[step % 2][i][tx * 4];
#pragma unroll
                for (int r = 0; r < 4; r++) {
                    float x = a_tile[step % 2][ty * 4 + r][i];
                    sum[r][0] += x * y.x, sum[r][1] += x * y.y, sum[r][2] += x * y.z, sum[r][3] += x * y.w;
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4 && !brings; r++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + r < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + r) * n + column0 + tx * 4 + q] = sum[r][q];
}
