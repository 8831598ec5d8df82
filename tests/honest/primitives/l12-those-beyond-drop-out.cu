// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: cuda::barrier of the block: all fill their quads, threads without an output arrive_and_drop and leave, the others arrive, work out where their output goes, and wait with the token; four outputs of one window by five quads
#include <cuda/barrier>

LAUNCH(256, 1, 1024, 1)

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[260];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier filled;
    const int t = threadIdx.x, first = blockIdx.x * 1024 - 8;
    if (t == 0)
        init(&filled, 256);
    __syncthreads();

    float *const words = reinterpret_cast<float *>(tile);
    for (int w = t; w < 1040; w += 256) {
        const int i = first + w;
        words[w] = i >= 0 && i < n ? __ldg(in + i) : 0.0f;
    }

    const int i = blockIdx.x * 1024 + 4 * t;
    if (i >= n) {
        filled.arrive_and_drop();
        return;
    }
    auto token = filled.arrive();
    float *const to = out + i;
    const int have = min(4, n - i);
    filled.wait(cuda::std::move(token));

    float window[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        const float4 v = tile[t + q];
        window[4 * q] = v.x, window[4 * q + 1] = v.y, window[4 * q + 2] = v.z, window[4 * q + 3] = v.w;
    }
    float middle = 0.0f;  // what all four share
#pragma unroll
    for (int d = 3; d < 17; d++)
        middle += window[d];
    const float4 sums = {middle + (window[0] + window[1] + window[2]), middle + (window[1] + window[2] + window[17]),
                         middle + (window[2] + window[17] + window[18]),
                         middle + (window[17] + window[18] + window[19])};
    if (have == 4)
        *reinterpret_cast<float4 *>(to) = sums;
    else {
        to[0] = sums.x;
        if (have > 1) to[1] = sums.y;
        if (have > 2) to[2] = sums.z;
    }
}
