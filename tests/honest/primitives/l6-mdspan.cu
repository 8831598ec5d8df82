// lesson 6; device sim,gpu; nvcc; want: full; tries: cuda::std::mdspan and array for everything, 16 x 16 threads with 2 x 2 products
#include <cuda/std/mdspan>
#include <cuda/std/array>
namespace cs = cuda::std;
using Mat = cs::mdspan<const float, cs::dextents<int, 2>>;
using Tile = cs::mdspan<float, cs::extents<int, 32, 32>>;
LAUNCH(16, 16, 32, 32)
__device__ float at(const Mat &m, int r, int c) { return r < m.extent(0) && c < m.extent(1) ? m.data_handle()[r * m.extent(1) + c] : 0.0f; }
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float ma[1024], mb[1024];
    Tile ta(ma), tb(mb);
    Mat A(a, m, k), B(b, k, n);
    cs::array<float, 4> s{};
    const int x = threadIdx.x, y = threadIdx.y;
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int e = y * 16 + x; e < 1024; e += 256) {
            ta.data_handle()[ta.mapping()(e / 32, e % 32)] = at(A, blockIdx.y * 32 + e / 32, k0 + e % 32);
            tb.data_handle()[tb.mapping()(e / 32, e % 32)] = at(B, k0 + e / 32, blockIdx.x * 32 + e % 32);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                s[e] += ta.data_handle()[ta.mapping()(y + e / 2 * 16, i)] * tb.data_handle()[tb.mapping()(i, x + e % 2 * 16)];
        __syncthreads();
    }
    for (int e = 0; e < 4; e++) {
        int r = blockIdx.y * 32 + y + e / 2 * 16, q = blockIdx.x * 32 + x + e % 2 * 16;
        if (r < m && q < n) c[r * n + q] = s[e];
    }
}
