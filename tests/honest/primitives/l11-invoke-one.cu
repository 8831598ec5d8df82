// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp for each row, four hinted loads of 16 bytes in flight, cg::reduce and cg::invoke_one at the end
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

LAUNCH(256, 1, 8, 1)

namespace cg = cooperative_groups;

__device__ __forceinline__ float4 stream(const float4 *from)
{
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(__cvta_generic_to_global(from)));
    return v;
}

struct Sums {  // four that do not wait for each other
    float x, y, z, w;
    __device__ Sums &operator+=(const float4 &v)
    {
        x += v.x;
        y += v.y;
        z += v.z;
        w += v.w;
        return *this;
    }
    __device__ explicit operator float() const { return (x + z) + (y + w); }
};

__global__ void __launch_bounds__(256) row_sums(float *out, const float *in, int rows, int cols)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (row >= rows)  // the same for all lanes of the warp
        return;

    const float *mine = in + (long long)row * cols;
    const int lane = warp.thread_rank();
    Sums sums = {};

    if (cols % 4 == 0) {
        const float4 *quads = reinterpret_cast<const float4 *>(mine);
        const int count = cols / 4;
        int i = lane;
        for (; i + 96 < count; i += 128) {
            float4 a = stream(quads + i), b = stream(quads + i + 32), c = stream(quads + i + 64), d = stream(quads + i + 96);
            sums += a;
            sums += b;
            sums += c;
            sums += d;
        }
#pragma unroll 1
        for (; i < count; i += 32)
            sums += stream(quads + i);
    } else {
#pragma unroll 4
        for (int i = lane; i < cols; i += 32)
            sums.x += __ldg(mine + i);
    }

    const float total = cg::reduce(warp, static_cast<float>(sums), cg::plus<float>());
    cg::invoke_one(warp, [&] { out[row] = total; });
}
