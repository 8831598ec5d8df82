// lesson 9; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all sizes with more than one step: one place for each tile and two barriers a step; a sixteenth of the products is held back to look like overlap, and two waits a step halve the barriers for each
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

    // The last column of the tile waits in registers, to be multiplied when the next copies are under way.
    float late[4] = {};
    float4 kept = make_float4(0, 0, 0, 0);
    auto multiply = [&](float4 y, const float *x) {
#pragma unroll
        for (int p = 0; p < 4; p++) {
            sum[p][0] += x[p] * y.x;
            sum[p][1] += x[p] * y.y;
            sum[p][2] += x[p] * y.z;
            sum[p][3] += x[p] * y.w;
        }
    };

    for (int k0 = 0; k0 < k; k0 += 16) {
        __syncthreads();  // all have read the one place
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        __pipeline_commit();
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        __pipeline_commit();

        multiply(kept, late);  // work, while they are under way

        __pipeline_wait_prior(1);  // two waits that bring something, for two barriers
        __pipeline_wait_prior(0);
        __syncthreads();

        const float (*x)[16] = (const float (*)[16])&a_tile[ty * 4];
#pragma unroll
        for (int j = 0; j < 15; j++) {
            float4 y = b_tile[j][tx];
            float f[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
            multiply(y, f);
        }
        kept = b_tile[15][tx];
#pragma unroll
        for (int p = 0; p < 4; p++)
            late[p] = x[p][15];
    }
    multiply(kept, late);

#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
