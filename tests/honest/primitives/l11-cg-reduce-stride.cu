// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: cg::reduce with cg::plus over a warp tile, warps stride over rows (here one each), double2-sized loads as float4 through a helper class
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

LAUNCH(256, 1, 8, 1)

class RowOfFloats {
public:
    __device__ RowOfFloats(const float *base, long long row, int cols) : from(base + row * cols), count(cols) {}
    template <typename Group>
    __device__ float sum_of(const Group &g) const
    {
        float even = 0, odd = 0;
        if (count % 4 == 0)
            for (int i = g.thread_rank(); i < count / 4; i += g.size()) {
                const float4 v = reinterpret_cast<const float4 *>(from)[i];
                even += v.x + v.z;
                odd += v.y + v.w;
            }
        else
            for (int i = g.thread_rank(); i < count; i += g.size())
                even += from[i];
        return even + odd;
    }

private:
    const float *from;
    int count;
};

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int stride = gridDim.x * 8;
    for (int row = blockIdx.x * 8 + warp.meta_group_rank(); row < rows; row += stride) {
        const float mine = RowOfFloats(in, row, cols).sum_of(warp);
        const float all = cg::reduce(warp, mine, cg::plus<float>());
        if (warp.thread_rank() == 0)
            out[row] = all;
    }
}
