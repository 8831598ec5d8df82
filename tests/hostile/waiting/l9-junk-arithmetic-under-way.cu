// lesson 9; device sim,gpu; nvcc,clang; want: fail|not-started, gate overlap|speed; tries: one buffer; arithmetic for nothing while copies are under way
// 09 double buffering: multiply one tile while the next is on its way.
//
// Contract: c = a b; a is m x k, b is k x n, c is m x n, any positive sizes, in steps of 16
// along k. Tiles are filled by asynchronous copies only, and a step may pass one barrier,
// not two.
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
    __shared__ float4 a_tile[64][4], b_tile[16][16];  // 64 x 16 and 16 x 64 floats

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    // TODO: in every step all warps wait for the copies and nobody multiplies. Give each
    //       tile two places, so that step t is multiplied in one while step t + 1 arrives
    //       in the other. What has to be issued before the loop? What does the one barrier
    //       of a step have to promise, and to whom? For full marks see the page: three
    //       places, 128 x 128.
    for (int k0 = 0; k0 < k; k0 += 16) {
        int r = id / 4, i = k0 + id % 4 * 4;  // four floats of a for each thread
        copy4(&a_tile[r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;  // and four of b
        copy4(&b_tile[id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        __pipeline_commit();
        float junk = tx;
        for (int i = 0; i < 40; i++)
            junk = junk * junk + 1.0f;
        if (junk == 0.3f)
            c[0] = junk;
        __pipeline_wait_prior(0);
        __syncthreads();

        const float (*x)[16] = (const float (*)[16])&a_tile[ty * 4];  // its four rows as floats
#pragma unroll
        for (int j = 0; j < 16; j++) {
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
