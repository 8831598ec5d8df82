// Steps of 32 instead of 16: two barriers a step are one for each 16 again, and still nobody
// multiplies while copies are under way.
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)  // rows are multiples of 16 bytes: all or nothing
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[64][8], b_tile[32][16];  // 64 x 32 and 32 x 64 floats

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int part = 0; part < 2; part++) {
            int r = part * 32 + id / 8, i = k0 + id % 8 * 4;
            copy4(&a_tile[r][id % 8], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            int t = part * 16 + id / 16, s = k0 + t, q = column0 + id % 16 * 4;
            copy4(&b_tile[t][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

        const float (*x)[32] = (const float (*)[32])&a_tile[ty * 4];  // the thread's four rows
#pragma unroll
        for (int j = 0; j < 32; j++) {
            float4 y = b_tile[j][tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p][0] += x[p][j] * y.x;
                sum[p][1] += x[p][j] * y.y;
                sum[p][2] += x[p][j] * y.z;
                sum[p][3] += x[p][j] * y.w;
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
