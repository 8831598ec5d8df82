// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 128 threads with 8 x 16 elements each, three places handed on by reference, a job object
#include <cuda_pipeline.h>

LAUNCH(128, 1, 128, 128)

__device__ __forceinline__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

struct Place {
    float4 a[128][4];  // chunk q of row r at q ^ r / 4 % 4
    float4 b[16][32];
};

struct Job {
    const float *a, *b;
    int m, n, k, row0, column0, id, ty, tx;

    __device__ __forceinline__ void fetch(Place &to, int step) const
    {
        int k0 = step * 16;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 4 + j * 32, q = id % 4, i = k0 + q * 4;
            copy4(&to.a[r][q ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = id / 32 + j * 4, q = id % 32, i = k0 + r, column = column0 + q * 4;
            copy4(&to.b[r][q], b, i * n + column, i < k ? n - column : 0, n % 4 == 0);
        }
        __pipeline_commit();
    }

    __device__ __forceinline__ void multiply(float (&sum)[8][16], const Place &from) const
    {
#pragma unroll 1
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++)
                x[p] = from.a[p / 4 * 64 + ty * 4 + p % 4][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float y[16];
#pragma unroll
                for (int h = 0; h < 4; h++) {
                    float4 four = from.b[j * 4 + i][tx + 8 * h];
                    y[4 * h] = four.x, y[4 * h + 1] = four.y, y[4 * h + 2] = four.z, y[4 * h + 3] = four.w;
                }
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    float xp = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
#pragma unroll
                    for (int q = 0; q < 16; q++)
                        sum[p][q] += xp * y[q];
                }
            }
        }
    }
};

// One step: wait, meet, fetch two steps ahead into what the step before has left, multiply.
__device__ __forceinline__ void turn(const Job &job, float (&sum)[8][16], const Place &now, Place &free, int step)
{
    __pipeline_wait_prior(1);
    __syncthreads();
    job.fetch(free, step + 2);
    job.multiply(sum, now);
}

__global__ void __launch_bounds__(128)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Place place[3];

    int id = threadIdx.x, lane = id % 32;
    Job job{a, b, m, n, k, (int)blockIdx.y * 128, (int)blockIdx.x * 128, id,
            id / 32 * 4 + (lane & 1) + (lane >> 1 & 2), (lane >> 1 & 1) + (lane >> 2 & 6)};
    float sum[8][16] = {};

    job.fetch(place[0], 0);
    job.fetch(place[1], 1);
    int steps = (k + 15) / 16;
    for (int step = 0, now = 0, free = 2; step < steps; step++) {
        turn(job, sum, place[now], place[free], step);
        free = now;
        now = now == 2 ? 0 : now + 1;
    }

#pragma unroll
    for (int p = 0; p < 8; p++) {
        int row = job.row0 + p / 4 * 64 + job.ty * 4 + p % 4;
#pragma unroll
        for (int h = 0; h < 4; h++) {
            int column = job.column0 + (job.tx + 8 * h) * 4;
            float *to = c + row * n + column;
            if (row < m && column + 4 <= n && n % 4 == 0)
                *(float4 *)to = make_float4(sum[p][4 * h], sum[p][4 * h + 1], sum[p][4 * h + 2], sum[p][4 * h + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        to[q] = sum[p][4 * h + q];
        }
    }
}
