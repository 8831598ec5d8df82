// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: prefetch.tensormap, createpolicy with L2::cache_hint on the box, acquire forms of try_wait, elect.sync, one warp of four in turn issues
#include <cuda.h>
LAUNCH(64, 2, 32, 128)
#define S(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void __launch_bounds__(128) transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ alignas(1024) float4 tile[4][32][8];
    __shared__ alignas(8) unsigned long long bar[4];
    const int id = threadIdx.y * 64 + threadIdx.x, lane = id & 31, warp = id >> 5, x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    if (warp == 0) {
        unsigned me;
        asm volatile("{ .reg .pred p; elect.sync _|p, -1; selp.b32 %0, 1, 0, p; }" : "=r"(me));
        if (me) {
            asm volatile("prefetch.tensormap [%0];" ::"l"(&in_map) : "memory");
            for (int j = 0; j < 4; j++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(S(bar + j)) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
    }
    __syncthreads();
    if (lane == 31 && y0 + 32 * warp < height) {
        unsigned long long policy;
        asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 4096;" ::"r"(S(bar + warp)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5;"
                     ::"r"(S(tile[warp])), "l"(&in_map), "r"(x0), "r"(y0 + 32 * warp), "r"(S(bar + warp)), "l"(policy) : "memory");
    }
    __syncwarp();
    for (int s = 0; s < 4; s++) {
        const int j = (s + warp) & 3, y = y0 + 32 * j + lane;  // begin with one's own box
        if (y0 + 32 * j >= height) continue;
        unsigned done;
        do
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(S(bar + j)) : "memory");
        while (!done);
        for (int q = warp; q < 8; q += 4) {
            const float4 v = tile[j][lane][q ^ lane % 8];
            if (y < height && x0 + 4 * q < width) {
                float *o = out + (size_t)(x0 + 4 * q) * height + y;
                __stcs(o, v.x); __stcs(o + height, v.y); __stcs(o + 2 * (size_t)height, v.z); __stcs(o + 3 * (size_t)height, v.w);
            }
        }
    }
}
