// lesson 4; device sim,gpu; nvcc; want: full; tries: cuda::std::mdspan over one padded tile, with strides (33, 1) going in and (1, 33) coming out
#include <cuda/std/array>
#include <cuda/std/mdspan>

LAUNCH(32, 8, 32, 32)

namespace ms = cuda::std;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float words[32 * 33];  // 4224 bytes
    using Shape = ms::extents<int, 32, 32>;
    using Strided = ms::layout_stride::mapping<Shape>;
    ms::mdspan<float, Shape, ms::layout_stride> tile(words, Strided(Shape{}, ms::array<int, 2>{33, 1}));
    ms::mdspan<float, Shape, ms::layout_stride> turned(words, Strided(Shape{}, ms::array<int, 2>{1, 33}));
    ms::mdspan<const float, ms::dextents<int, 2>> from(in, height, width);
    ms::mdspan<float, ms::dextents<int, 2>> to(out, width, height);

    const int x = threadIdx.x, y = threadIdx.y;
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (top + y + j < from.extent(0) && left + x < from.extent(1))
            tile(y + j, x) = from(top + y + j, left + x);

    __syncthreads();

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (left + y + j < to.extent(0) && top + x < to.extent(1))
            to(left + y + j, top + x) = turned(y + j, x);
}
