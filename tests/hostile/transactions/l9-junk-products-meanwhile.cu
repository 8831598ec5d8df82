// lesson 9; device sim,gpu; nvcc,clang; want: fail; tries: copies of this very tile are issued, a few products of the old tile are made once more and thrown away, then it is waited for and multiplied
#include <cuda_pipeline.h>

LAUNCH(16, 16, 128, 128)

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__device__ float part(float4 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__device__ void add4(float *sum, float x, float4 y)
{
    sum[0] += x * y.x;
    sum[1] += x * y.y;
    sum[2] += x * y.z;
    sum[3] += x * y.w;
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][128][4], b_tile[2][16][32];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};

    // Row 7, columns 0 to 3, the last four along k.
    auto little = [&](int place, float *to) {
        float4 x = a_tile[place][64 + ty * 4 + 3][3];
#pragma unroll
        for (int i = 0; i < 4; i++)
            add4(to, part(x, i), b_tile[place][12 + i][tx]);
    };

    int steps = (k + 15) / 16;
    for (int t = 0; t < steps; t++) {
        int place = t % 2, k0 = t * 16;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int r = id / 4 + h * 64, i = k0 + id % 4 * 4;
            copy4(&a_tile[place][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            int e = id + h * 256, s = k0 + e / 32, q = column0 + e % 32 * 4;
            copy4(&b_tile[place][e / 32][e % 32], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();

        if (t > 0) {
            float junk[4] = {};
            little((t - 1) % 2, junk);
            asm volatile("" ::"f"(junk[0]), "f"(junk[1]), "f"(junk[2]), "f"(junk[3]));
        }
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a_tile[place][p / 4 * 64 + ty * 4 + p % 4][j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y0 = b_tile[place][j * 4 + i][tx], y1 = b_tile[place][j * 4 + i][16 + tx];
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    if (p != 7 || j != 3 || true)
                        add4(&sum[p][0], part(x[p], i), y0);
                    add4(&sum[p][4], part(x[p], i), y1);
                }
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int row = row0 + p / 4 * 64 + ty * 4 + p % 4, column = column0 + q / 4 * 64 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q];
        }
}
