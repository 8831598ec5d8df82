// lesson 19; device sim,gpu; nvcc,clang; want: full; tries: nine warps: two groups multiply, a ninth warp copies; cursor with a flipping phase, every warp gives a stage back
#include <cuda.h>
#include <cuda_bf16.h>
enum { ST = 4, AB = 16384, BB = 32768, TOTAL = ST * (AB + BB) };
LAUNCH(288, 1, 256, 128, TOTAL + 64)
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
__device__ __forceinline__ void wgmma_n256(float (&d)[128], unsigned long long a, unsigned long long b, int more)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %130, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 0;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
                 : "l"(a), "l"(b), "r"(more) : "memory");
}
struct Cursor {
    unsigned at = 0, phase = 0;
    __device__ void operator++() { if (++at == ST) { at = 0; phase ^= 1; } }
};
__global__ void __launch_bounds__(288, 1)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char arena[];
    const unsigned sa = sh(arena), sb = sa + ST * AB, full = sa + TOTAL, empty = full + 8 * ST;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, r0 = blockIdx.y * 128, c0 = blockIdx.x * 256, steps = (k + 63) >> 6;
    if (threadIdx.x == 0) {
        for (int s = 0; s < ST; s++) { bar_init(full + 8 * s, 1); bar_init(empty + 8 * s, 8); }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    Cursor at;
    if (warp == 8) {
        if (lane == 0)
            for (int i = 0; i < steps; i++, ++at) {
                bar_wait(empty + 8 * at.at, at.phase ^ 1);
                const unsigned f = full + 8 * at.at;
                bar_expect(f, AB + BB);
                for (int j = 0; j < 2; j++) box(sa + at.at * AB + j * 8192, &a_map, i * 64, r0 + 64 * j, f);
                for (int j = 0; j < 4; j++) box(sb + at.at * BB + j * 8192, &b_map, i * 64, c0 + 64 * j, f);
            }
        return;
    }
    float d[128];
    const int group = warp >> 2;
    unsigned last = 0;
    for (int i = 0; i < steps; i++, ++at) {
        bar_wait(full + 8 * at.at, at.phase);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        const unsigned pa = sa + at.at * AB + group * 8192, pb = sb + at.at * BB;
#pragma unroll
        for (int j = 0; j < 4; j++) wgmma_n256(d, desc(pa + 32 * j), desc(pb + 32 * j), i | j);
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (i && lane == 0) bar_arrive(empty + 8 * last);
        last = at.at;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int i = 0; i < 64; i++) {
        const int y = r0 + warp * 16 + lane / 4 + i % 2 * 8, x = c0 + i / 2 * 8 + lane % 4 * 2;
        if (y >= m || x >= n) continue;
        float *o = c + (size_t)y * n + x;
        if (n % 2 == 0) *(float2 *)o = make_float2(d[2 * i], d[2 * i + 1]);
        else {
            o[0] = d[2 * i];
            if (x + 1 < n) o[1] = d[2 * i + 1];
        }
    }
}
