// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: tensor copies by the programming guide's names, cuda::device::experimental
#include <cuda.h>
#include <cuda/barrier>
LAUNCH(32, 4, 32, 128)
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map, const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ alignas(1024) float tile[4][32][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar[4];
    const int lane = threadIdx.x, warp = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const bool leader = lane == 0 && warp == 0;
    if (leader) {
        for (auto &b : bar) init(&b, 128);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token[4];
    for (int s = 0; s < 4; s++) {
        if (leader && y0 + 32 * s < height) {
            cde::cp_async_bulk_tensor_2d_global_to_shared(&tile[s], &in_map, x0, y0 + 32 * s, bar[s]);
            token[s] = cuda::device::barrier_arrive_tx(bar[s], 1, sizeof(tile[s]));
        } else
            token[s] = bar[s].arrive();
    }
    for (int s = 0; s < 4; s++) {
        bar[s].wait(std::move(token[s]));
        const int y = y0 + 32 * s + lane;
        for (int q = warp; q < 8; q += 4) {
            const float4 v = *reinterpret_cast<const float4 *>(&tile[s][lane][(q ^ lane % 8) * 4]);
            if (y < height && x0 + q * 4 < width) {
                float *to = out + (size_t)(x0 + q * 4) * height + y;
                to[0] = v.x; to[height] = v.y; to[2 * height] = v.z; to[3 * height] = v.w;
            }
        }
    }
}
