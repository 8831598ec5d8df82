// lesson 9; device sim; nvcc,clang; want: pass; tries: LAUNCH of nine warps: one only copies, eight multiply, mbarriers-free: named barriers
#include <cuda_pipeline.h>

LAUNCH(288, 1, 64, 64)

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

// All of 288 threads come to barrier 1 + place when it is full, and to 3 + place when it is free.
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;

    if (threadIdx.x >= 256) {
        int lane = threadIdx.x - 256;
        auto fetch = [&](int step) {
            int p = step % 2;
            for (int e = lane; e < 256; e += 32) {
                int r = e / 4, i = step * 16 + e % 4 * 4, s = step * 16 + e / 16, q = column0 + e % 16 * 4;
                copy4(&a_tile[p][r][e % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
                copy4(&b_tile[p][e / 16][e % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
            }
            __pipeline_commit();
        };
        fetch(0);
        for (int step = 0; step < steps; step++) {
            if (step > 0)
                asm volatile("bar.sync %0, 288;" :: "r"(3 + (step + 1) % 2) : "memory");
            fetch(step + 1);
            __pipeline_wait_prior(1);
            asm volatile("bar.arrive %0, 288;" :: "r"(1 + step % 2) : "memory");
        }
        __pipeline_wait_prior(0);
        return;
    }

    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int step = 0; step < steps; step++) {
        int place = step % 2;
        asm volatile("bar.sync %0, 288;" :: "r"(1 + place) : "memory");
        const float(*x)[16] = (const float(*)[16]) & a_tile[place][ty * 4];
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
        if (step < steps - 1)
            asm volatile("bar.arrive %0, 288;" :: "r"(3 + place) : "memory");
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
