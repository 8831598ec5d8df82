// lesson 9; device sim,gpu; nvcc,clang; want: fail|timeout; tries: between the last step of one tile and the first copies of the next a thread waits for its own copies alone: places 0 and 1 are copied into while slow warps still multiply what is there; m > 64 and a number of steps that is 1 or 2 modulo 3
// 09 double buffering: two tiles a block, three places, and the second tile needs no barrier of its own.
#include <cuda_pipeline.h>

LAUNCH(16, 16, 64, 128)

constexpr int STAGES = 3;

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
    __shared__ float4 a_tile[STAGES][64][4], b_tile[STAGES][16][16];

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int column0 = blockIdx.x * 64, steps = (k + 15) / 16;

    // Two tiles of c, one below the other: the columns of b come from L2 the second time.
    for (int row0 = blockIdx.y * 128; row0 < m && row0 < blockIdx.y * 128 + 128; row0 += 64) {
        float sum[4][4] = {};
        auto fetch = [&](int step) {
            int place = step % STAGES, r = id / 4, i = step * 16 + id % 4 * 4;
            copy4(&a_tile[place][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
            int s = step * 16 + id / 16, q = column0 + id % 16 * 4;
            copy4(&b_tile[place][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
            __pipeline_commit();
        };

        for (int step = 0; step < STAGES - 1; step++)
            fetch(step);
        for (int step = 0; step < steps; step++) {
            __pipeline_wait_prior(STAGES - 2);
            __syncthreads();
            fetch(step + STAGES - 1);

            int place = step % STAGES;
            const float (*x)[16] = (const float (*)[16])&a_tile[place][ty * 4];
#pragma unroll
            for (int j = 0; j < 16; j++) {
                float4 y = b_tile[place][j][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    sum[p][0] += x[p][j] * y.x;
                    sum[p][1] += x[p][j] * y.y;
                    sum[p][2] += x[p][j] * y.z;
                    sum[p][3] += x[p][j] * y.w;
                }
            }
        }

        // Nothing of this tile is under way when the next one begins: its zeros have come.
        __pipeline_wait_prior(0);

#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                    c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
    }
}
