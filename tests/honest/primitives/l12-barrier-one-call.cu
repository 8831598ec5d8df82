// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: cuda::barrier: inside, one group-wide cuda::memcpy_async for the whole tile; at the ends each thread its own
#include <cooperative_groups.h>
#include <cuda/barrier>
LAUNCH(128, 1, 512, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ alignas(16) float tile[512 + 16];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    const int t = threadIdx.x, first = blockIdx.x * 512 - 8;
    if (first >= 0 && first + 528 <= n)
        cuda::memcpy_async(block, tile, in + first, cuda::aligned_size_t<16>(528 * sizeof(float)), bar);
    else
        for (int j = t; j < 528; j += 128) {
            int i = first + j;
            tile[j] = i >= 0 && i < n ? in[i] : 0.0f;
        }
    bar.arrive_and_wait();
    float w[20];
#pragma unroll
    for (int q = 0; q < 5; q++) *(float4 *)&w[4 * q] = *(const float4 *)&tile[4 * (t + q)];
    float core = 0;
#pragma unroll
    for (int j = 3; j < 17; j++) core += w[j];
    const float r[4] = {core + w[0] + w[1] + w[2], core + w[1] + w[2] + w[17], core + w[2] + w[17] + w[18], core + w[17] + w[18] + w[19]};
    const int o = first + 8 + 4 * t;
    if (o + 4 <= n) *(float4 *)(out + o) = make_float4(r[0], r[1], r[2], r[3]);
    else
#pragma unroll
        for (int j = 0; j < 4; j++) if (o + j < n) out[o + j] = r[j];
}
