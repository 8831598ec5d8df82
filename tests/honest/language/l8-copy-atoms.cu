// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: copy atoms of 16 or 4 bytes chosen by template, the main loop instantiated for both
#include <cuda_pipeline_primitives.h>
template <int Bytes> struct CopyAtom {
    static constexpr int N = Bytes / 4;
    __device__ static void copy(float4 &to, const float *base, size_t at, int have)
    {
        float *t = &to.x;
#pragma unroll
        for (int j = 0; j < 4; j += N) {
            bool there = have > j;
            __pipeline_memcpy_async(t + j, base + (there ? at + j : 0), Bytes, there ? 0 : Bytes);
        }
    }
};
template <class AtomA, class AtomB> struct MainLoop {
    float4 (*a_tile)[8], (*b_tile)[8];
    __device__ float4 operator()(const float *a, const float *b, int m, int n, int k) const
    {
        const int x = threadIdx.x & 7, y = threadIdx.x >> 3, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
        float4 s{};
        for (int k0 = 0; k0 < k; k0 += 32) {
            AtomA::copy(a_tile[y][x ^ (y & 3)], a, (size_t)(r0 + y) * k + k0 + x * 4, r0 + y < m ? k - k0 - x * 4 : 0);
            AtomB::copy(b_tile[y][x], b, (size_t)(k0 + y) * n + c0 + x * 4, k0 + y < k ? n - c0 - x * 4 : 0);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
#pragma unroll
            for (int q = 0; q < 8; q++) {
                const float4 u = a_tile[y][q ^ (y & 3)];
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const float4 v = b_tile[4 * q + i][x];
                    const float f = i == 0 ? u.x : i == 1 ? u.y : i == 2 ? u.z : u.w;
                    s.x += f * v.x; s.y += f * v.y; s.z += f * v.z; s.w += f * v.w;
                }
            }
            __syncthreads();
        }
        return s;
    }
};
LAUNCH(256, 1, 32, 32)
__global__ __launch_bounds__(256) void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 at[32][8], bt[32][8];
    float4 s;
    if (k % 4 == 0 && n % 4 == 0) s = MainLoop<CopyAtom<16>, CopyAtom<16>>{at, bt}(a, b, m, n, k);
    else if (k % 4 == 0) s = MainLoop<CopyAtom<16>, CopyAtom<4>>{at, bt}(a, b, m, n, k);
    else if (n % 4 == 0) s = MainLoop<CopyAtom<4>, CopyAtom<16>>{at, bt}(a, b, m, n, k);
    else s = MainLoop<CopyAtom<4>, CopyAtom<4>>{at, bt}(a, b, m, n, k);
    const int row = blockIdx.y * 32 + threadIdx.x / 8, q = blockIdx.x * 32 + threadIdx.x % 8 * 4;
    const float v[4] = {s.x, s.y, s.z, s.w};
    for (int j = 0; j < 4; j++)
        if (row < m && q + j < n) c[(size_t)row * n + q + j] = v[j];
}
