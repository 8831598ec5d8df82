// lesson 9; device sim,gpu; nvcc,clang; want: fail, gate correct|hazards; tries: in the last step nobody waits for the copies
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 64)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others
// become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4,
                                    j < have ? 0 : 4);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    auto fetch = [&](int step) {
        int stage = step % 2, k0 = step * 16;
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[stage][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        __pipeline_commit();
    };

    fetch(0);

    int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        if (step < 100 || step + 1 < steps)
            __pipeline_wait_prior(0);
        __syncthreads();
        if (step + 1 < steps)
            fetch(step + 1);

        const float (*x)[16] = (const float (*)[16])&a_tile[step % 2][ty * 4];
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 y = b_tile[step % 2][j][tx];
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
