// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: cuda::pipeline of a thread with acquire, commit, wait and release; zeros beyond the edges by plain stores; 64 x 64 elements
#include <cuda/pipeline>

LAUNCH(16, 16, 64, 64)

using Pipe = cuda::pipeline<cuda::thread_scope_thread>;

// Four neighbours of which the first `have` exist; zeros for the others.
__device__ void bring4(float4 &to, const float *from, int have, bool wide, Pipe &pipe)
{
    float *words = reinterpret_cast<float *>(&to);
    if (have <= 0) {
        to = make_float4(0, 0, 0, 0);
    } else if (wide) {
        cuda::memcpy_async(&to, reinterpret_cast<const float4 *>(from), cuda::aligned_size_t<16>(16), pipe);
    } else {
        for (int j = 0; j < 4; j++)
            if (j < have)
                cuda::memcpy_async(words + j, from + j, cuda::aligned_size_t<4>(4), pipe);
            else
                words[j] = 0;
    }
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ struct {
        float4 a[64][4];   // 64 rows of 16 floats
        float4 b[16][16];  // 16 rows of 64
    } places[2];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, steps = (k + 15) / 16;
    Pipe pipe = cuda::make_pipeline();

    auto fetch = [&](int step) {
        pipe.producer_acquire();
        if (step < steps) {
            auto &place = places[step % 2];
            const int r = id / 4, i = step * 16 + id % 4 * 4;
            bring4(place.a[r][id % 4], a + (size_t)(row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0, pipe);
            const int s = step * 16 + id / 16, q = column0 + id % 16 * 4;
            bring4(place.b[id / 16][id % 16], b + (size_t)s * n + q, s < k ? n - q : 0, n % 4 == 0, pipe);
        }
        pipe.producer_commit();
    };

    float4 sum[4] = {};
    fetch(0);
    for (int step = 0; step < steps; step++) {
        pipe.consumer_wait();  // my copies of this step
        __syncthreads();       // everybody's, and nobody is in the other place any more
        fetch(step + 1);

        auto &place = places[step % 2];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = place.a[ty * 4 + p][j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 y = place.b[j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p].x += f * y.x;
                    sum[p].y += f * y.y;
                    sum[p].z += f * y.z;
                    sum[p].w += f * y.w;
                }
            }
        }
        pipe.consumer_release();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const int row = row0 + ty * 4 + p, column = column0 + tx * 4;
        const float four[4] = {sum[p].x, sum[p].y, sum[p].z, sum[p].w};
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row < m && column + q < n)
                c[(size_t)row * n + column + q] = four[q];
    }
}
