// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: every access to shared memory by asm volatile: ld.shared.v4.f32, st.shared.f32, fma by asm
LAUNCH(16, 16, 64, 64)
static __device__ __forceinline__ unsigned addr(const void *p)
{
    unsigned long long s;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(s) : "l"(p));
    return (unsigned)s;
}
static __device__ __forceinline__ float4 lds4(unsigned at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
    return v;
}
static __device__ __forceinline__ void sts(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
static __device__ __forceinline__ void fma_(float &s, float x, float y) { asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(s) : "f"(x), "f"(y)); }
static __device__ __forceinline__ float ldg(const float *p, bool ok)
{
    float v;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000; @p ld.global.nc.f32 %0, [%1]; }" : "=f"(v) : "l"(p), "r"((int)ok));
    return v;
}
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float at[64 * 16], bt[16 * 64];
    const unsigned sa = addr(at), sb = addr(bt);
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = r0 + e / 16, i = k0 + e % 16;
            sts(sa + e * 4, ldg(a + (size_t)r * k + i, r < m && i < k));
            int h = k0 + e / 64, q = c0 + e % 64;
            sts(sb + e * 4, ldg(b + (size_t)h * n + q, h < k && q < n));
        }
        asm volatile("bar.sync 0;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 16; i += 4) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++) x[p] = lds4(sa + ((ty * 4 + p) * 16 + i) * 4);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float4 y = lds4(sb + ((i + j) * 64 + tx * 4) * 4);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float u = j == 0 ? x[p].x : j == 1 ? x[p].y : j == 2 ? x[p].z : x[p].w;
                    fma_(s[p][0], u, y.x); fma_(s[p][1], u, y.y); fma_(s[p][2], u, y.z); fma_(s[p][3], u, y.w);
                }
            }
        }
        asm volatile("bar.sync 0;" ::: "memory");
    }
#pragma unroll
    for (int e = 0; e < 16; e++) {
        int r = r0 + ty * 4 + e / 4, q = c0 + tx * 4 + e % 4;
        if (r < m && q < n) c[(size_t)r * n + q] = s[e / 4][e % 4];
    }
}
