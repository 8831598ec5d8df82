// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: four boxes with a barrier each, all issued at once by four warps' elected lanes; every warp reads every box
#include <cuda.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
LAUNCH(128, 1, 32, 128)
__device__ __forceinline__ unsigned sh(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 box[4][32][8];
    __shared__ __align__(8) unsigned long long bars[4];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int x0 = blockIdx.x * 32, top = blockIdx.y * 128;
    if (threadIdx.x == 0) {
        for (int j = 0; j < 4; j++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sh(&bars[j])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (lane == 0 && top + warp * 32 < height) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sh(&bars[warp])), "n"(4096) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(sh(box[warp])), "l"(&in_map), "r"(x0), "r"(top + warp * 32), "r"(sh(&bars[warp])) : "memory");
    }
    __syncwarp();
    for (int j = 0; j < 4; j++) {
        const int y = top + j * 32;
        if (y >= height) break;
        asm volatile("{\n\t.reg .pred done;\nspin:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0, 10000;\n\t@done bra.uni out;\n\tbra.uni spin;\nout:\n\t}"
                     ::"r"(sh(&bars[j])) : "memory");
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int q = warp * 2 + h, c = x0 + q * 4;
            float4 v = box[j][lane][q ^ (lane & 7)];
            if (c < width && y + lane < height) {
                float *o = out + (size_t)c * height + y + lane;
                o[0] = v.x;
                o[height] = v.y;
                o[2 * (size_t)height] = v.z;
                o[3 * (size_t)height] = v.w;
            }
        }
    }
}
