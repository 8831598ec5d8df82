// lesson 6; device sim,gpu; nvcc,clang; want: pass, at least 95; tries: tiles of floats, products by mma.sync m8n8k4 of doubles: exact, on tensor cores
LAUNCH(32, 8, 64, 64)

// A float is a double without loss, and the sums of doubles lose less than those of floats.
__device__ __forceinline__ void multiply(double (&sum)[2], double x, double y)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(sum[0]), "+d"(sum[1]) : "d"(x), "d"(y));
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    // Of a a warp reads 8 rows of four words: 36 apart, they are in 32 banks. Of b four rows of eight
    // words: 72 apart, they are as well.
    __shared__ float a_tile[64][36], b_tile[32][72];

    int lane = threadIdx.x, warp = threadIdx.y, g = lane / 4, t = lane % 4;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int y0 = warp / 2 * 16, x0 = warp % 2 * 32;  // a warp has 16 x 32 of the 64 x 64
    double sum[2][4][2] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = warp + 8 * j, row = row0 + r, i = k0 + lane;
            a_tile[r][lane] = row < m && i < k ? a[row * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = j / 2 * 8 + warp, q = j % 2 * 32 + lane, i = k0 + r, column = column0 + q;
            b_tile[r][q] = i < k && column < n ? b[i * n + column] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            double x[2], y[4];
#pragma unroll
            for (int p = 0; p < 2; p++)
                x[p] = a_tile[y0 + 8 * p + g][i + t];
#pragma unroll
            for (int q = 0; q < 4; q++)
                y[q] = b_tile[i + t][x0 + 8 * q + g];
#pragma unroll
            for (int p = 0; p < 8; p++)
                multiply(sum[p / 4][p % 4], x[p / 4], y[p % 4]);
        }
        __syncthreads();
    }

    // A lane has row g of each product, columns 2 t and 2 t + 1.
#pragma unroll
    for (int p = 0; p < 8; p++) {
        int row = row0 + y0 + p / 4 * 8 + g, column = column0 + x0 + p % 4 * 8 + 2 * t;
        float *to = c + row * n + column;
        float first = (float)sum[p / 4][p % 4][0], second = (float)sum[p / 4][p % 4][1];
        if (row < m && column < n) {
            if (n % 2 == 0)
                *(float2 *)to = make_float2(first, second);
            else {
                to[0] = first;
                if (column + 1 < n)
                    to[1] = second;
            }
        }
    }
}
