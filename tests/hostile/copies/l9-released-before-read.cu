// lesson 9; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a place is released before its tile is multiplied: from k = 33 on a fast thread fills the place of step t with that of step t + 2 while slow ones still read it, in place of after
#include <cooperative_groups.h>
#include <cuda/pipeline>

LAUNCH(16, 16, 64, 64)

using Pipe = cuda::pipeline<cuda::thread_scope_block>;

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned, Pipe &pipe)
{
    if (aligned && have > 0)
        cuda::memcpy_async(to, (const float4 *)(from + index), cuda::aligned_size_t<16>(16), pipe);
    else if (have <= 0)
        *to = make_float4(0, 0, 0, 0);
    else
        for (int j = 0; j < 4; j++)
            if (j < have)
                cuda::memcpy_async((float *)to + j, from + index + j, cuda::aligned_size_t<4>(4), pipe);
            else
                ((float *)to)[j] = 0;
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    Pipe pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);

    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;
    float sum[4][4] = {};

    auto fetch = [&](int step) {
        int at = step % 2, k0 = step * 16;
        pipe.producer_acquire();  // until all threads have released this place
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[at][r][id % 4], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0, pipe);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[at][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0, pipe);
        pipe.producer_commit();
    };

    fetch(0);
    for (int step = 0; step < steps; step++) {
        if (step + 1 < steps)
            fetch(step + 1);
        // The tile is here. Give the place back at once, so that nobody has to wait for it later.
        pipe.consumer_wait();
        pipe.consumer_release();

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
