// How many accesses to memory a warp can issue before it has to wait: cycles until N of them have been issued.
#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
extern __shared__ __align__(128) char pool[];
template <int KIND, int N> __global__ void issue(long long *t, float *o, const float *g)
{
    float v[N][4]; unsigned lane = threadIdx.x % 32, base = (unsigned)__cvta_generic_to_shared(pool) + (threadIdx.x / 32) * 4096;
    for (int i = 0; i < N; i++) for (int j = 0; j < 4; j++) v[i][j] = 0;
    unsigned at = base + lane * (KIND == 2 ? 128 : KIND == 1 || KIND == 4 ? 16 : 4); const float *from = g + threadIdx.x * (KIND == 4 || KIND == 7 ? 4 : 1);
    if (KIND == 5 || KIND == 7) { for (int i = 0; i < N; i++) v[0][0] += from[i * 4]; }
    for (int round = 0; round < 3; round++) {
    __syncthreads(); long long s = clock64();
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (KIND == 0 || KIND == 2) asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v[i][0]) : "r"(at));
        if (KIND == 1) asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v[i][0]), "=f"(v[i][1]), "=f"(v[i][2]), "=f"(v[i][3]) : "r"(at));
        if (KIND == 3) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from));
        if (KIND == 4) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
        if (KIND == 5) asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(v[i][0]) : "l"(from));
        if (KIND == 6) asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(at), "f"(v[0][0]));
        if (KIND == 7) asm volatile("ld.volatile.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v[i][0]), "=f"(v[i][1]), "=f"(v[i][2]), "=f"(v[i][3]) : "l"(from));
    }
    long long e = clock64(); if (lane == 0) { t[threadIdx.x / 32] = e - s; }
    asm volatile("cp.async.wait_all;"); }
    float x = 0; for (int i = 0; i < N; i++) for (int j = 0; j < 4; j++) x += v[i][j]; o[threadIdx.x] = x;
}
static long long *t; static float *o, *g;
template <int KIND, int N> void run(const char *name)
{
    cudaFuncSetAttribute(issue<KIND, N>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    for (int w : {1, 4, 8, 16}) { issue<KIND, N><<<1, 32 * w, 65536>>>(t, o, g); issue<KIND, N><<<1, 32 * w, 65536>>>(t, o, g); long long h[16]; cudaMemcpy(h, t, sizeof h, cudaMemcpyDeviceToHost); long long m = 0, l = h[0]; for (int i = 0; i < w; i++) { m = h[i] > m ? h[i] : m; l = h[i] < l ? h[i] : l; } printf("queue,%s,%d of them by %d warps,%lld to %lld,cycles until issued\n", name, N, w, l, m); }
}
template <int KIND> void kind(const char *name) { run<KIND, 1>(name); run<KIND, 2>(name); run<KIND, 3>(name); run<KIND, 4>(name); run<KIND, 5>(name); run<KIND, 6>(name); run<KIND, 8>(name); run<KIND, 10>(name); run<KIND, 12>(name); run<KIND, 16>(name); run<KIND, 24>(name); run<KIND, 32>(name); }
int main() { cudaMalloc(&t, 4096); cudaMalloc(&o, 1 << 20); cudaMalloc(&g, 1 << 20); cudaMemset(g, 0, 1 << 20);
    kind<0>("shared load"); kind<1>("shared load of 16 bytes"); kind<2>("shared load with 32-way conflict"); kind<3>("copy of 4 bytes"); kind<4>("copy of 16 bytes"); kind<5>("load that hits L1"); kind<6>("shared store"); kind<7>("load of 16 bytes that hits L1"); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
