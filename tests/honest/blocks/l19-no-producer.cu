// lesson 19; device sim,gpu; nvcc,clang; want: full; tries: no producer: each of the two consumers fetches its own half of a and half of b for the stage that both have just finished, four stages, two arrivals a barrier
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(256, 1, 256, 128, 196672)

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void ptx_barrier_init(unsigned long long *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(count) : "memory");
}
__device__ __forceinline__ void ptx_barriers_visible() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void ptx_arrive(unsigned long long *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ __forceinline__ void ptx_arrive_expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ bool ptx_over(unsigned long long *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
    return over;
}
__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
    while (!ptx_over(bar, parity))
        ;
}
// 64 rows of 64 elements, 8192 bytes, swizzled: chunk q of row r at q ^ r % 8.
__device__ __forceinline__ void ptx_copy_box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

// Rows of 128 bytes with the 128-byte swizzle; 1024 bytes from eight rows to the next eight.
__device__ __forceinline__ unsigned long long descriptor(const void *tile)
{
    return (at(tile) >> 4 & 0x3fff) | 64ull << 32 | 1ull << 62;
}

__device__ __forceinline__ void ptx_products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void ptx_products_close() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT>
__device__ __forceinline__ void ptx_products_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(LEFT) : "memory"); }

// d = or += (64 x 16 of a) (256 x 16 of b, transposed), by the four warps of a group; under way when it returns.
__device__ __forceinline__ void ptx_multiply(float (&d)[128], unsigned long long a, unsigned long long b, bool add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %130, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
                 "}, %128, %129, p, 1, 1, 0, 0;\n\t}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                   "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                   "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                   "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
                   "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
                   "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
                   "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
                   "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
                   "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
                   "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
                   "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
                   "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
                   "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
                   "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
                   "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
                   "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
                 : "l"(a), "l"(b), "r"((unsigned)add) : "memory");
}

// A warp group's 64 x 256 sums: lane l of warp w has rows 16 w + l / 4 and 8 below, of every eight columns two neighbours.
__device__ __forceinline__ void store(float *c, const float (&sum)[128], int row0, int column0, int m, int n)
{
    const int t = threadIdx.x % 128, row = row0 + t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
#pragma unroll
    for (int i = 0; i < 64; i++) {
        const int y = row + i % 2 * 8, x = column + i / 2 * 8;
        float *to = c + (size_t)y * n + x;
        if (y < m && n % 2 == 0) {
            if (x < n)
                *(float2 *)to = make_float2(sum[i * 2], sum[i * 2 + 1]);
        } else if (y < m) {
            if (x < n)
                to[0] = sum[i * 2];
            if (x + 1 < n)
                to[1] = sum[i * 2 + 1];
        }
    }
}

constexpr int STAGES = 4;

struct Stage {
    __nv_bfloat16 a[2][64 * 64];  // boxes: rows of a
    __nv_bfloat16 b[4][64 * 64];  // rows of b, which are columns of c
};

struct Memory {
    Stage stage[STAGES];
    unsigned long long full[STAGES], empty[STAGES];
};
static_assert(sizeof(Memory) <= 196672, "LAUNCH");

__global__ void __launch_bounds__(256, 1)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char bytes[];
    Memory &memory = *(Memory *)bytes;

    const int group = threadIdx.x / 128, row0 = blockIdx.y * 128, column0 = blockIdx.x * 256;
    const int steps = (k + 63) / 64;
    const bool leader = threadIdx.x % 128 == 0;

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx_barrier_init(&memory.full[s], 2);   // both leaders, and what they have announced
            ptx_barrier_init(&memory.empty[s], 2);  // both leaders
        }
        ptx_barriers_visible();
    }
    __syncthreads();

    // A leader's share of step i: one box of a, two of b.
    auto fetch = [&](int i) {
        Stage &stage = memory.stage[i % STAGES];
        unsigned long long *full = &memory.full[i % STAGES];
        ptx_arrive_expect(full, 3 * 8192);
        ptx_copy_box(stage.a[group], &a_map, i * 64, row0 + group * 64, full);
        for (int j = group * 2; j < group * 2 + 2; j++)
            ptx_copy_box(stage.b[j], &b_map, i * 64, column0 + j * 64, full);
    };

    if (leader)
        for (int i = 0; i < STAGES && i < steps; i++)
            fetch(i);
    __syncwarp();

    float sum[128];
    for (int i = 0; i < steps; i++) {
        const Stage &stage = memory.stage[i % STAGES];
        wait(&memory.full[i % STAGES], i / STAGES & 1);
        ptx_products_begin();
#pragma unroll
        for (int j = 0; j < 4; j++)
            ptx_multiply(sum, descriptor(stage.a[group] + j * 16), descriptor(stage.b[0] + j * 16), i + j > 0);
        ptx_products_close();
        ptx_products_wait<1>();  // this step's stay under way; the last one's are done

        // Both groups are done with step i - 1 once both leaders say so: then its stage takes step i + 3.
        if (leader && i > 0) {
            const int done = i - 1, place = done % STAGES;
            ptx_arrive(&memory.empty[place]);
            if (done + STAGES < steps) {
                wait(&memory.empty[place], done / STAGES & 1);
                fetch(done + STAGES);
            }
        }
        __syncwarp();
    }
    ptx_products_wait<0>();
    store(c, sum, row0 + group * 64, column0, m, n);
}
