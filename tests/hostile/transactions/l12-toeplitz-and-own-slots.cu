// lesson 12; device sim,gpu; nvcc,clang; want: fail; tries: the 17 neighbours meet inside mma instructions (a band matrix of ones), and each lane only puts its floats into a shared slot of its own and takes them back
#include <cuda_fp16.h>

// A warp has 8 segments of 128 outputs, a block four warps.
LAUNCH(128, 1, 4096, 1)

#define MMA(sum, x, y)                                                              \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "               \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"  \
                 : "+f"((sum)[0]), "+f"((sum)[1]), "+f"((sum)[2]), "+f"((sum)[3])   \
                 : "r"((x)[0]), "r"((x)[1]), "r"((x)[2]), "r"((x)[3]), "r"((y)[0]), "r"((y)[1]))

__device__ unsigned two(float a, float b)
{
    return (unsigned)__half_as_ushort(__float2half_rn(a)) | (unsigned)__half_as_ushort(__float2half_rn(b)) << 16;
}
__device__ float rest(float a)
{
    return (a - __half2float(__float2half_rn(a))) * 2048.0f;
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 slot[128];
    int lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    int first = blockIdx.x * 4096 + threadIdx.x / 32 * 1024;

    // Columns of the band: lane q has elements 4q, 4q + 1 (k = 2q, 2q + 1) and 4q + 2, 4q + 3 (k = 2q + 8, 2q + 9).
    unsigned lower[4], upper[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int r = g + i % 2 * 8, e = q * 4 + i / 2 * 2;
        lower[i] = two(e >= r, e + 1 >= r);
        upper[i] = two(e <= r, e + 1 <= r);
    }

    unsigned was[2] = {}, was_rest[2] = {};
    for (int t = 0; t <= 8; t++) {
        int at = first + g * 128 + t * 16 - 8 + q * 4;
        float4 v = make_float4(0, 0, 0, 0);
        if (at >= 0 && at + 3 < n)
            v = *(const float4 *)(in + at);
        else {
            if (at >= 0 && at < n) v.x = in[at];
            if (at + 1 >= 0 && at + 1 < n) v.y = in[at + 1];
            if (at + 2 >= 0 && at + 2 < n) v.z = in[at + 2];
            if (at + 3 >= 0 && at + 3 < n) v.w = in[at + 3];
        }
        unsigned own = (unsigned)__cvta_generic_to_shared(&slot[threadIdx.x]);
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(own), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(own) : "memory");

        unsigned now[2] = {two(v.x, v.y), two(v.z, v.w)};
        unsigned now_rest[2] = {two(rest(v.x), rest(v.y)), two(rest(v.z), rest(v.w))};
        if (t > 0) {
            float sum[4] = {}, small[4] = {};
            MMA(sum, lower, was);
            MMA(sum, upper, now);
            MMA(small, lower, was_rest);
            MMA(small, upper, now_rest);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int to = first + (q * 2 + i % 2) * 128 + (t - 1) * 16 + g + i / 2 * 8;
                if (to < n)
                    out[to] = sum[i] + small[i] * (1.0f / 2048);
            }
        }
        was[0] = now[0], was[1] = now[1];
        was_rest[0] = now_rest[0], was_rest[1] = now_rest[1];
    }
}
