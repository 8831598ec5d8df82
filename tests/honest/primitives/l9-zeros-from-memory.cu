// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline; what does not exist is copied from four zeros in global memory
#include <cuda/pipeline>
LAUNCH(16, 16, 64, 64)
__device__ float4 zeros;
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 at[2][64][4], bt[2][16][16];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    const int steps = (k + 15) / 16;
    float sum[4][4] = {};
    auto four = [&](float4 *to, const float *from, int have, bool whole) {
        if (whole)
            cuda::memcpy_async(to, have > 0 ? reinterpret_cast<const float4 *>(from) : &zeros, cuda::aligned_size_t<16>(16), pipe);
        else
            for (int j = 0; j < 4; j++)
                cuda::memcpy_async(&to->x + j, j < have ? from + j : &zeros.x, cuda::aligned_size_t<4>(4), pipe);
    };
    auto issue = [&](int t) {
        pipe.producer_acquire();
        if (t < steps) {
            int r = row0 + id / 4, i = t * 16 + id % 4 * 4, e = t * 16 + id / 16, q = col0 + id % 16 * 4;
            four(&at[t & 1][id / 4][id % 4], a + r * k + i, r < m ? k - i : 0, k % 4 == 0);
            four(&bt[t & 1][id / 16][id % 16], b + e * n + q, e < k ? n - q : 0, n % 4 == 0);
        }
        pipe.producer_commit();
    };
    issue(0);
    for (int t = 0; t < steps; t++) {
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        issue(t + 1);
        const float (*x)[16] = reinterpret_cast<const float (*)[16]>(&at[t & 1][ty * 4]);
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 y = bt[t & 1][i][tx];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                sum[p][0] += x[p][i] * y.x; sum[p][1] += x[p][i] * y.y; sum[p][2] += x[p][i] * y.z; sum[p][3] += x[p][i] * y.w;
            }
        }
        pipe.consumer_release();
    }
#pragma unroll
    for (int e = 0; e < 16; e++)
        if (row0 + ty * 4 + e / 4 < m && col0 + tx * 4 + e % 4 < n) c[(row0 + ty * 4 + e / 4) * n + col0 + tx * 4 + e % 4] = sum[e / 4][e % 4];
}
