// lesson 12; device sim,gpu; nvcc,clang; want: fail; tries: cp.async handed to an mbarrier, but each thread arrives first and hands its copies over afterwards (no .noinc): the last arrival may end the phase before the last warp's copies are counted, so the tile may be read before they land
#include <cuda_pipeline.h>
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    __shared__ unsigned long long filled;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&filled);
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(256) : "memory");
    __syncthreads();

    for (int k = t; k < 1024 + 16; k += 256) {
        bool there = first + k >= 0 && first + k < n;
        __pipeline_memcpy_async(&tile[k], there ? &in[first + k] : in, 4, there ? 0 : 4);
    }
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar) : "memory");

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }
    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
