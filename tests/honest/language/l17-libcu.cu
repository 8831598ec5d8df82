// lesson 17; device sim,gpu; nvcc; want: full; tries: libcu++: cuda::barrier and its tensor copies
#include <cuda.h>
#include <cuda/barrier>

LAUNCH(32, 4, 32, 128)

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[32][8];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full;

    int lane = threadIdx.x, warp = threadIdx.y, x0 = blockIdx.x * 32;
    if (lane == 0 && warp == 0) {
        init(&full, 128);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    for (int step = 0; step < 4; step++) {
        int y0 = blockIdx.y * 128 + step * 32;
        if (y0 >= height)
            break;
        barrier::arrival_token token;
        if (lane == 0 && warp == 0) {
            cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &in_map, x0, y0, full);
            token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
        } else {
            token = full.arrive();
        }
        full.wait(static_cast<barrier::arrival_token &&>(token));
        for (int q = warp; q < 8; q += 4) {
            float4 four = tile[lane][q ^ lane % 8];
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        __syncthreads();
    }
}
