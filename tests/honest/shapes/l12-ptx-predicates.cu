// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: all by PTX: predicated v4 loads, st.shared.v4, ld.shared.v4, predicated st.global.v4; 512 threads
LAUNCH(512, 1, 2048, 1)
__device__ __forceinline__ float4 gload(const float *in, int i, int n)
{
    float4 v = make_float4(0, 0, 0, 0);
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %5, 0;\n\t@p ld.global.v4.f32 {%0, %1, %2, %3}, [%4];\n\t}"
                 : "+f"(v.x), "+f"(v.y), "+f"(v.z), "+f"(v.w) : "l"(in + i), "r"((unsigned)(i >= 0 && i + 4 <= n)));
    if (i >= 0 && i + 4 > n) {
        if (i < n) v.x = in[i];
        if (i + 1 < n) v.y = in[i + 1];
        if (i + 2 < n) v.z = in[i + 2];
    }
    return v;
}
__global__ void __launch_bounds__(512) stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[2048 + 16];
    const unsigned s = (unsigned)__cvta_generic_to_shared(tile) + threadIdx.x * 16u;
    const int first = blockIdx.x * 2048 - 8 + threadIdx.x * 4;
    float4 v = gload(in, first, n);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(s), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
    if (threadIdx.x < 4) {
        v = gload(in, first + 2048, n);
        asm volatile("st.shared.v4.f32 [%0 + 8192], {%1, %2, %3, %4};" ::"r"(s), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
    }
    asm volatile("barrier.cta.sync.aligned 0, 512;" ::: "memory");
    float w[20];
#define TAKE(q) asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4 + " #q "*16];" : "=f"(w[4 * q]), "=f"(w[4 * q + 1]), "=f"(w[4 * q + 2]), "=f"(w[4 * q + 3]) : "r"(s) : "memory")
    TAKE(0); TAKE(1); TAKE(2); TAKE(3); TAKE(4);
    float m = w[3];
#pragma unroll
    for (int j = 4; j <= 16; j++) m += w[j];
    float a = w[2] + m, z = m + w[17];
    float o0 = w[0] + w[1] + a, o1 = w[1] + w[2] + z, o2 = w[2] + z + w[18], o3 = z + w[18] + w[19];
    const int o = first + 8;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.le.s32 p, %1, %2;\n\t@p st.global.v4.f32 [%0], {%3, %4, %5, %6};\n\t}"
                 ::"l"(out + o), "r"(o + 4), "r"(n), "f"(o0), "f"(o1), "f"(o2), "f"(o3) : "memory");
    if (o + 4 > n) {
        if (o < n) out[o] = o0;
        if (o + 1 < n) out[o + 1] = o1;
        if (o + 2 < n) out[o + 2] = o2;
    }
}
