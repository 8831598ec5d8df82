// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate loads, diagnosis idle-warps; tries: the same with fewer registers, so that it is fast enough
LAUNCH(256, 1, 8192, 1)

__global__ __launch_bounds__(256, 8) void copy(float *out, const float *in, int n)
{
    __shared__ float4 show[8][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    if (warp > 0) {  // moves bytes, none of them for anybody
        show[warp][lane] = make_float4(0, 0, 0, 0);
        unsigned from = (unsigned)__cvta_generic_to_shared(&show[warp][lane]);
#pragma unroll
        for (int turn = 0; turn < 64; turn++) {
            float a, b, c, d;
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(from) : "memory");
        }
        return;
    }

    int start = blockIdx.x * 8192;
#pragma unroll 4
    for (int turn = 0; turn < 64; turn++) {
        int i = start + turn * 128 + lane * 4;
        if (i + 3 < n)
            *(float4 *)&out[i] = *(const float4 *)&in[i];
        else
            for (int j = i; j < n; j++)
                out[j] = in[j];
    }
}
