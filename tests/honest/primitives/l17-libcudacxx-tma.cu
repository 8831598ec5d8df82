// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: the programming guide's way: cuda::barrier, cuda::device::experimental tensor copies, barrier_arrive_tx, tokens; two tiles in turn
#include <cuda.h>
#include <cuda/barrier>

LAUNCH(32, 4, 32, 128)

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tiles[2][32][8];
    __shared__ barrier bars[2];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const bool leader = lane == 0 && warp == 0;
    const int x0 = blockIdx.x * 32, top = blockIdx.y * 128;
    const int steps = min(4, (height - top + 31) / 32);

    if (leader) {
        init(&bars[0], 128);
        init(&bars[1], 128);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();

    auto start = [&](int step) {
        const int s = step & 1;
        if (leader) {
            cde::cp_async_bulk_tensor_2d_global_to_shared(&tiles[s], &in_map, x0, top + step * 32, bars[s]);
            return cuda::device::barrier_arrive_tx(bars[s], 1, sizeof(tiles[s]));
        }
        return bars[s].arrive();
    };

    barrier::arrival_token now = start(0);
    for (int step = 0; step < steps; step++) {
        barrier::arrival_token next;
        if (step + 1 < steps)
            next = start(step + 1);
        bars[step & 1].wait(static_cast<barrier::arrival_token &&>(now));

        const int y = top + step * 32 + lane;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int q = warp * 2 + j, x = x0 + q * 4;
            const float4 v = tiles[step & 1][lane][q ^ (lane & 7)];
            if (x < width && y < height) {
                out[(size_t)x * height + y] = v.x;
                out[(size_t)(x + 1) * height + y] = v.y;
                out[(size_t)(x + 2) * height + y] = v.z;
                out[(size_t)(x + 3) * height + y] = v.w;
            }
        }
        __syncthreads();  // the next but one may overwrite this tile
        now = static_cast<barrier::arrival_token &&>(next);
    }
}
