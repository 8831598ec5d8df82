// lesson 9; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a thread without elements in a step commits no group, so its wait_prior(1) may leave the group that is wanted now under way: for k > 16 with k % 16 != 0 (e.g. 64 x 64 x 36) threads whose part of the last step lies past k do not wait for their copies of the step before it.
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (have <= 0)
        *to = make_float4(0, 0, 0, 0);  // nothing to copy
    else if (aligned)
        __pipeline_memcpy_async(to, from + index, 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[3][64][4], b_tile[3][16][16];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    int steps = (k + 15) / 16;
    float sum[4][4] = {};

    auto fetch = [&](int step) {
        if (step >= steps)
            return;
        int stage = step % 3, k0 = step * 16;
        int r = id / 4, i = k0 + id % 4 * 4;
        int have_a = row0 + r < m ? k - i : 0;
        copy4(&a_tile[stage][r][id % 4], a, (row0 + r) * k + i, have_a, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        int have_b = s < k ? n - q : 0;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, have_b, n % 4 == 0);
        if (have_a > 0 || have_b > 0)
            __pipeline_commit();
    };

    fetch(0);
    fetch(1);
    for (int step = 0; step < steps; step++) {
        if (step + 1 < steps)
            __pipeline_wait_prior(1);  // the next step's may stay under way
        else
            __pipeline_wait_prior(0);
        __syncthreads();
        fetch(step + 2);

        int stage = step % 3;
        const float (*x)[16] = (const float (*)[16])&a_tile[stage][ty * 4];
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 y = b_tile[stage][j][tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p][0] += x[p][j] * y.x;
                sum[p][1] += x[p][j] * y.y;
                sum[p][2] += x[p][j] * y.z;
                sum[p][3] += x[p][j] * y.w;
            }
        }
    }

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
