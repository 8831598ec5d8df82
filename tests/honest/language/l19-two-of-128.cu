// lesson 19; device sim,gpu; nvcc,clang; want: full; tries: m64n128k16 twice, sums in two arrays of 64; last group produces with setmaxnreg, four stages in a struct
#include <cuda.h>
#include <cuda_bf16.h>
struct __align__(1024) Stage { unsigned char a[2][8192], b[4][8192]; };
struct Arena { Stage stage[4]; unsigned long long full[4], empty[4]; };
LAUNCH(384, 1, 256, 128, 196672)
static_assert(sizeof(Stage) == 49152 && 4 * sizeof(Stage) + 64 == 196672, "");
__device__ __forceinline__ unsigned sh(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(unsigned b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void bar_arrive(unsigned b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory"); }
__device__ __forceinline__ void bar_expect(unsigned b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory"); }
__device__ __forceinline__ void bar_wait(unsigned b, unsigned parity)
{
    asm volatile("{\n\t.reg .pred p;\nLAB_WAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@p bra DONE;\n\tbra LAB_WAIT;\nDONE:\n\t}"
                 ::"r"(b), "r"(parity) : "memory");
}
__device__ __forceinline__ void box(unsigned to, const CUtensorMap *map, int x, int y, unsigned b)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(b) : "memory");
}
__device__ __forceinline__ unsigned long long desc(unsigned at) { return (at >> 4 & 0x3fff) | 64ull << 32 | 1ull << 62; }
__device__ __forceinline__ void wgmma_n128(float (&d)[64], unsigned long long a, unsigned long long b, int more)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %66, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
                 : "l"(a), "l"(b), "r"(more) : "memory");
}
template <int H> __device__ __forceinline__ void put(float *c, const float (&d)[64], int row, int col, int m, int n)
{
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        const int y = row + (i & 2) * 4, x = col + H * 128 + i / 4 * 8;
        if (y < m && x < n) {
            float *o = c + (size_t)y * n + x;
            if (!(n & 1)) *reinterpret_cast<float2 *>(o) = make_float2(d[i], d[i + 1]);
            else {
                *o = d[i];
                if (x + 1 < n) o[1] = d[i + 1];
            }
        }
    }
}
__global__ void __launch_bounds__(384)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    Arena &mem = *reinterpret_cast<Arena *>(raw);
    const int t = threadIdx.x, group = t / 128, steps = (k + 63) / 64, r0 = blockIdx.y * 128, c0 = blockIdx.x * 256;
    if (t < 4) {
        bar_init(sh(&mem.full[t]), 1);
        bar_init(sh(&mem.empty[t]), 256);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (t == 256)
            for (int i = 0; i < steps; i++) {
                Stage &s = mem.stage[i & 3];
                const unsigned f = sh(&mem.full[i & 3]);
                if (i >= 4) bar_wait(sh(&mem.empty[i & 3]), (i / 4 + 1) & 1);
                bar_expect(f, sizeof(Stage));
                for (int j = 0; j < 6; j++)
                    if (j < 2) box(sh(s.a[j]), &a_map, i * 64, r0 + j * 64, f);
                    else box(sh(s.b[j - 2]), &b_map, i * 64, c0 + (j - 2) * 64, f);
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float lo[64], hi[64];
        for (int i = 0; i < steps; i++) {
            const Stage &s = mem.stage[i & 3];
            bar_wait(sh(&mem.full[i & 3]), i >> 2 & 1);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
            for (int j = 0; j < 4; j++) {
                wgmma_n128(lo, desc(sh(s.a[group]) + 32 * j), desc(sh(s.b[0]) + 32 * j), i + j > 0);
                wgmma_n128(hi, desc(sh(s.a[group]) + 32 * j), desc(sh(s.b[2]) + 32 * j), i + j > 0);
            }
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            if (i > 0) bar_arrive(sh(&mem.empty[(i - 1) & 3]));
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        const int w = t % 128, row = r0 + group * 64 + w / 32 * 16 + w % 32 / 4, col = c0 + w % 4 * 2;
        put<0>(c, lo, row, col, m, n);
        put<1>(c, hi, row, col, m, n);
    }
}
