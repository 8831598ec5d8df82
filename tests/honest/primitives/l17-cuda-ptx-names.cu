// lesson 17; device sim,gpu; nvcc; want: full; tries: cuda::barrier with cuda::ptx wrappers by their own names, cg::thread_rank, tokens, two places
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cooperative_groups.h>
namespace ptx = cuda::ptx;
LAUNCH(32, 4, 32, 128)
using Bar = cuda::barrier<cuda::thread_scope_block>;
__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ alignas(1024) float4 place[2][32][8];
    __shared__ alignas(8) unsigned char raw[2 * sizeof(Bar)];
    Bar *bar = reinterpret_cast<Bar *>(raw);
    const int lane = threadIdx.x, warp = threadIdx.y, x0 = blockIdx.x * 32, top = blockIdx.y * 128;
    const bool boss = cooperative_groups::this_thread_block().thread_rank() == 0;
    if (boss) {
        init(bar, 1);
        init(bar + 1, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    auto bring = [&](int j) {
        if (boss && top + 32 * j < height) {
            const int coord[2] = {x0, top + 32 * j};
            auto *native = cuda::device::barrier_native_handle(bar[j & 1]);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, native, 4096);
            ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, place[j & 1], &in_map, coord, native);
        }
    };
    bring(0);
    bring(1);
    for (int j = 0; j < 4 && top + 32 * j < height; j++) {
        auto *native = cuda::device::barrier_native_handle(bar[j & 1]);
        while (!ptx::mbarrier_try_wait_parity(native, j >> 1)) {}
        const int y = top + 32 * j + lane;
        for (int q = warp; q < 8; q += 4) {
            float4 v = place[j & 1][lane][q ^ (lane & 7)];
            const float w[4] = {v.x, v.y, v.z, v.w};
            if (y < height && x0 + q * 4 < width)
                for (int e = 0; e < 4; e++) out[(size_t)(x0 + q * 4 + e) * height + y] = w[e];
        }
        __syncthreads();
        if (j + 2 < 4) bring(j + 2);
    }
}
