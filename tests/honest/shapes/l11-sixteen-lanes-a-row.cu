// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: half a warp sums a row: tiles of 16 lanes, butterflies by xor inside them, and rows that do not exist are summed as the last one and not written
#include <cooperative_groups.h>

LAUNCH(256, 1, 16, 1)

namespace cg = cooperative_groups;

struct Sum {
    float value = 0;
    __device__ Sum &operator+=(float x)
    {
        value += x;
        return *this;
    }
    __device__ Sum &operator+=(const float4 &q) { return *this += (q.x + q.y) + (q.z + q.w); }
};

template <class T>
__device__ Sum strided(const T *from, int count, const cg::thread_block_tile<16> &lanes)
{
    Sum sum;
#pragma unroll 4
    for (int i = lanes.thread_rank(); i < count; i += lanes.size())
        sum += from[i];
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const auto lanes = cg::tiled_partition<16>(cg::this_thread_block());
    const int row = blockIdx.x * 16 + lanes.meta_group_rank();

    const float *from = in + static_cast<size_t>(min(row, rows - 1)) * cols;
    Sum sum = cols % 4 == 0 ? strided(reinterpret_cast<const float4 *>(from), cols / 4, lanes) : strided(from, cols, lanes);

    for (unsigned bit = lanes.size() / 2; bit; bit /= 2)
        sum += lanes.shfl_xor(sum.value, bit);

    if (row < rows && lanes.thread_rank() == 0)
        out[row] = sum.value;
}
