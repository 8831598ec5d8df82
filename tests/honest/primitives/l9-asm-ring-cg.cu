// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: inline PTX ring of four stages in dynamic shared memory (64 KB), cp.async.cg, plain 16 x 16 thread map
LAUNCH(16, 16, 128, 128, 65536)
extern __shared__ __align__(16) unsigned char arena[];
template <int N> static __device__ void wait_group() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
static __device__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
static __device__ void cp16(unsigned to, const float *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
static __device__ void cp4(unsigned to, const float *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
static __device__ __forceinline__ float4 lds(unsigned at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
    return v;
}
static __device__ void bring(unsigned to, const float *base, size_t at, int have, bool vec)
{
    if (vec) cp16(to, have > 0 ? base + at : base, have > 0 ? 16 : 0);
    else
        for (int j = 0; j < 4; j++) cp4(to + 4 * j, j < have ? base + at + j : base, j < have ? 4 : 0);
}
__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    const unsigned sa = (unsigned)__cvta_generic_to_shared(arena), sb = sa + 4 * 8192;
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx, r0 = blockIdx.y * 128, c0 = blockIdx.x * 128;
    const int steps = (k + 15) / 16;
    float s[8][8] = {};
    auto issue = [&](int t) {
        if (t < steps) {
            unsigned pa = sa + (t & 3) * 8192, pb = sb + (t & 3) * 8192;
#pragma unroll
            for (int e = id; e < 512; e += 256) {
                int r = e >> 2, i = t * 16 + (e & 3) * 4;
                bring(pa + e * 16, a, (size_t)(r0 + r) * k + i, r0 + r < m ? k - i : 0, k % 4 == 0);
                int h = t * 16 + (e >> 5), q = c0 + (e & 31) * 4;
                bring(pb + e * 16, b, (size_t)h * n + q, h < k ? n - q : 0, n % 4 == 0);
            }
        }
        close_group();
    };
    issue(0); issue(1); issue(2);
    for (int t = 0; t < steps; t++) {
        wait_group<2>();
        __syncthreads();
        issue(t + 3);
        const unsigned pa = sa + (t & 3) * 8192 + ty * 64, pb = sb + (t & 3) * 8192 + tx * 16;
#pragma unroll
        for (int g = 0; g < 4; g++) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; p++) x[p] = lds(pa + p * 1024 + g * 16);  // rows ty + 16 p
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = lds(pb + (g * 4 + i) * 512), v = lds(pb + (g * 4 + i) * 512 + 256);
#pragma unroll
                for (int p = 0; p < 8; p++) {
                    float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    s[p][0] += f * u.x; s[p][1] += f * u.y; s[p][2] += f * u.z; s[p][3] += f * u.w;
                    s[p][4] += f * v.x; s[p][5] += f * v.y; s[p][6] += f * v.z; s[p][7] += f * v.w;
                }
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int r = r0 + ty + 16 * p, w = c0 + q / 4 * 64 + tx * 4 + q % 4;
            if (r < m && w < n) c[(size_t)r * n + w] = s[p][q];
        }
}
