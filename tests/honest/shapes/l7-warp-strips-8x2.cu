// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a warp owns a strip of eight rows and all 64 columns, a lane eight rows of two neighbours: every word of a is one broadcast to the whole warp, b comes as float2; 6 wavefronts for 16 products like the solution, no conflict, every element guarded
LAUNCH(32, 8, 64, 64)

__global__ void __launch_bounds__(256)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    enum { BM = 64, BN = 64, BK = 16, ROWS = 8 };
    __shared__ __align__(16) float a_tile[BM][BK];
    __shared__ __align__(16) float b_tile[BK][BN];

    const int lane = threadIdx.x, warp = threadIdx.y, id = warp * 32 + lane;
    const int top = blockIdx.y * BM, left = blockIdx.x * BN;
    float2 sum[ROWS] = {};

    for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
        for (int e = id; e < BM * BK; e += 256) {
            const int r = e >> 4, i = e & 15;
            a_tile[r][i] = top + r < m && k0 + i < k ? a[(top + r) * k + k0 + i] : 0.f;
        }
#pragma unroll
        for (int e = id; e < BK * BN; e += 256) {
            const int i = e >> 6, q = e & 63;
            b_tile[i][q] = k0 + i < k && left + q < n ? b[(k0 + i) * n + left + q] : 0.f;
        }
        __syncthreads();

        const float (*strip)[BK] = a_tile + warp * ROWS;
#pragma unroll
        for (int i = 0; i < BK; ++i) {
            const float2 y = *reinterpret_cast<const float2 *>(&b_tile[i][2 * lane]);
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                sum[r].x = fmaf(strip[r][i], y.x, sum[r].x);
                sum[r].y = fmaf(strip[r][i], y.y, sum[r].y);
            }
        }
        __syncthreads();
    }

    const int column = left + 2 * lane;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const int row = top + warp * ROWS + r;
        if (row >= m)
            break;
        float *to = c + row * n + column;
        if (n % 2 == 0 && column < n)
            *reinterpret_cast<float2 *>(to) = sum[r];
        else {
            if (column < n)
                to[0] = sum[r].x;
            if (column + 1 < n)
                to[1] = sum[r].y;
        }
    }
}
