// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 128 x 64 for 128 threads; the last two steps are peeled off, each with a wait of its own
#include <cuda_pipeline.h>

LAUNCH(128, 1, 64, 128)

constexpr int DEPTH = 3;

// Starts four neighbours, of which the first `have` exist; the others become 0.
__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

// A stage: 128 rows of four chunks, 16 rows of sixteen. Rows of a are 16 words long: of four in a row, two and two
// begin in one bank. So rows 2 and 3 of four keep chunks 0 and 1, and 2 and 3, the other way round.
struct Stage {
    float4 a[128][4], b[16][16];

    __device__ __forceinline__ void multiply(float (&sum)[8][8], int ty, int tx) const
    {
#pragma unroll 2
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = a[ty + 16 * p][j ^ (ty >> 1 & 1)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = b[j * 4 + i][tx], v = b[j * 4 + i][tx + 8];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] += f * y[q];
                }
            }
        }
    }
};

__global__ void __launch_bounds__(128)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Stage stages[DEPTH];

    // Lane bits 0 and 2 choose among four rows, bits 1, 3 and 4 among eight chunks of columns.
    const int id = threadIdx.x, lane = id % 32;
    const int ty = id / 32 * 4 + (lane & 1) + (lane >> 1 & 2);
    const int tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int steps = (k + 15) / 16;
    float sum[8][8] = {};

    auto fetch = [=](Stage &stage, int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int e = id + j * 128, r = e / 4, i = k0 + e % 4 * 4;
            copy4(&stage.a[r][e % 4 ^ (r >> 1 & 1)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int e = id + j * 128, i = k0 + e / 16, q = column0 + e % 16 * 4;
            copy4(&stage.b[e / 16][e % 16], b, i * n + q, i < k ? n - q : 0, n % 4 == 0);
        }
        __pipeline_commit();
    };

    for (int ahead = 0; ahead < 2 && ahead < steps; ahead++)
        fetch(stages[ahead], ahead * 16);

    int step = 0;
    for (; step + 2 < steps; step++) {  // there is something to fetch
        __pipeline_wait_prior(1);
        __syncthreads();
        fetch(stages[(step + 2) % DEPTH], (step + 2) * 16);
        stages[step % DEPTH].multiply(sum, ty, tx);
    }
    if (step + 1 < steps) {  // the last but one: one group may still be under way
        __pipeline_wait_prior(1);
        __syncthreads();
        stages[step % DEPTH].multiply(sum, ty, tx);
        step++;
    }
    __pipeline_wait_prior(0);  // the last: none may
    __syncthreads();
    stages[step % DEPTH].multiply(sum, ty, tx);

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + ty + 16 * p;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int column = column0 + q / 4 * 32 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum[p][q];
        }
    }
}
