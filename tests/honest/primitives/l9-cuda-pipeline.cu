// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline with two stages of one thread
#include <cuda/pipeline>

LAUNCH(16, 16, 64, 64)

__device__ __align__(16) float zeros[4];

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned, cuda::pipeline<cuda::thread_scope_thread> &pipe)
{
    if (aligned)
        cuda::memcpy_async(to, have > 0 ? (const float4 *)(from + index) : (const float4 *)zeros, cuda::aligned_size_t<16>(16), pipe);
    else
        for (int j = 0; j < 4; j++)
            cuda::memcpy_async((float *)to + j, j < have ? from + index + j : zeros, cuda::aligned_size_t<4>(4), pipe);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    auto fetch = [&](int step) {
        int stage = step % 2, k0 = step * 16;
        pipe.producer_acquire();
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[stage][r][id % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0, pipe);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0, pipe);
        pipe.producer_commit();
    };
    auto multiply = [&](int stage, int from, int to, float (*sum)[4]) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            if (j < from || j >= to)
                continue;
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = a_tile[stage][ty * 4 + p][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y = b_tile[stage][j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * y.x;
                    sum[p][1] += f * y.y;
                    sum[p][2] += f * y.z;
                    sum[p][3] += f * y.w;
                }
            }
        }
    };
    int steps = (k + 15) / 16;
    fetch(0);
    for (int step = 0; step < steps; step++) {
        pipe.consumer_wait();
        __syncthreads();
        fetch(step + 1);
        multiply(step % 2, 0, 4, sum);
    }
    pipe.consumer_wait();
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
