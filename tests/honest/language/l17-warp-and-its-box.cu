// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: a warp a block: one box at a time, LAUNCH(32, 1, 32, 32), state token and test_wait, goto
#include <cuda.h>
LAUNCH(32, 1, 32, 32)
__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(128) float4 box[256];
    __shared__ unsigned long long bar;
    const unsigned b = (unsigned)__cvta_generic_to_shared(&bar), d = (unsigned)__cvta_generic_to_shared(box);
    const int l = threadIdx.x, x = blockIdx.x * 32, y = blockIdx.y * 32;
    unsigned long long state = 0;
    unsigned over;
    if (l == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;\n\tfence.proxy.async.shared::cta;" ::"r"(b) : "memory");
    __syncwarp();
    if (l == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 4096;" : "=l"(state) : "r"(b) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                     ::"r"(d), "l"(&in_map), "r"(b), "r"(x), "r"(y) : "memory");
    } else
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
again:
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(b), "l"(state) : "memory");
    if (!over) goto again;
    if (y + l >= height) return;
    float *to = out + (size_t)x * height + y + l;
    const float4 *row = box + l * 8;
#pragma unroll
    for (int q = 0; q < 8; q++) {
        if (x + 4 * q >= width) break;
        float4 v = row[q ^ (l & 7)];
        *to = v.x; to += height;
        *to = v.y; to += height;
        *to = v.z; to += height;
        *to = v.w; to += height;
    }
}
