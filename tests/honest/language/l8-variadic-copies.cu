// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: bring(copy, copy, copy, copy): a pack of requests, folded into copies, a commit and a wait
#include <cuda_pipeline.h>

LAUNCH(16, 32, 32, 32)

struct Request {
    float *to;
    const float *from;
    bool exists;
};

// A request for element (row, column) of a matrix. What does not exist becomes 0, and its address is the
// first element's.
__device__ Request request(float *to, const float *matrix, int row, int column, int rows, int columns)
{
    const bool exists = row < rows && column < columns;
    return Request{to, exists ? matrix + row * columns + column : matrix, exists};
}

__device__ int start(const Request &r)
{
    __pipeline_memcpy_async(r.to, r.from, 4, r.exists ? 0 : 4);
    return 0;
}

template <class... Requests>
__device__ void bring(const Requests &...requests)
{
    const int started[] = {start(requests)...};
    (void)started;
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void __launch_bounds__(512)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    const int y = id / 32, x = id % 32;  // the place that this thread fills, and the one 16 rows below
    float even = 0.0f, odd = 0.0f;       // its two sums, columns 2 tx and 2 tx + 1

    for (int k0 = 0; k0 < k; k0 += 32) {
        bring(request(&a_tile[y][x], a, row0 + y, k0 + x, m, k),
              request(&a_tile[y + 16][x], a, row0 + y + 16, k0 + x, m, k),
              request(&b_tile[y][x], b, k0 + y, column0 + x, k, n),
              request(&b_tile[y + 16][x], b, k0 + y + 16, column0 + x, k, n));
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 f = *reinterpret_cast<const float4 *>(&a_tile[ty][i]);
            const float factor[4] = {f.x, f.y, f.z, f.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float2 pair = *reinterpret_cast<const float2 *>(&b_tile[i + j][2 * tx]);
                even += factor[j] * pair.x;
                odd += factor[j] * pair.y;
            }
        }
        __syncthreads();
    }

    const int row = row0 + ty, column = column0 + 2 * tx;
    if (row < m && column < n)
        c[row * n + column] = even;
    if (row < m && column + 1 < n)
        c[row * n + column + 1] = odd;
}
