// A product by warp groups: the first brings tiles by bulk copies into two stages, two others multiply 64 rows each.
// tests/sim/test_groups.c runs its PTX (nvcc 13.0 -arch=sm_90a -ptx). A and B lie in memory as their tiles do: a tile has 128
// rows of 64 bfloat16 as blocks of eight rows and eight elements, those of eight rows one after another.
#include <cstdint>

constexpr int STAGES = 2, TILE = 128 * 64 * 2, ROW_BLOCK = 1024, CHUNK = 128;

struct Shared {
    alignas(128) unsigned char a[STAGES][TILE], b[STAGES][TILE];
    alignas(8) uint64_t full[STAGES], empty[STAGES];
};

__device__ uint32_t address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *bar, int parity)
{
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"(address(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory");
}

__device__ void copy(void *to, const unsigned char *from, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     address(to)),
                 "l"(from), "r"(TILE), "r"(address(bar))
                 : "memory");
}

__device__ uint64_t descriptor(const void *p)
{
    return (uint64_t)((address(p) & 0x3ffff) >> 4) | (uint64_t)(CHUNK >> 4) << 16 | (uint64_t)(ROW_BLOCK >> 4) << 32;
}

#define D8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])

__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b)
{
    asm volatile(
        "{ .reg .pred p; setp.eq.u32 p, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
        "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, "
        "%35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, "
        "%57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0; }"
        : D8(0), D8(8), D8(16), D8(24), D8(32), D8(40), D8(48), D8(56)
        : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(384) gemm(const unsigned char *a, const unsigned char *b, float *c, int steps)
{
    extern __shared__ unsigned char raw[];
    Shared &s = *reinterpret_cast<Shared *>(raw);
    int group = threadIdx.x / 128, tid = threadIdx.x % 128;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&s.full[i])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(address(&s.empty[i])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int i = 0; i < steps && tid == 0; i++) {
            int stage = i % STAGES, round = i / STAGES;
            wait(&s.empty[stage], (round + 1) % 2);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&s.full[stage])),
                         "r"(2 * TILE)
                         : "memory");
            copy(s.a[stage], a + (size_t)i * TILE, &s.full[stage]);
            copy(s.b[stage], b + (size_t)i * TILE, &s.full[stage]);
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[64] = {};
    for (int i = 0; i < steps; i++) {
        int stage = i % STAGES;
        wait(&s.full[stage], i / STAGES % 2);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < 4; k++)
            multiply(d, descriptor(s.a[stage] + (group - 1) * 8 * ROW_BLOCK + k * 2 * CHUNK),
                     descriptor(s.b[stage] + k * 2 * CHUNK));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // One group stays under way: the stage before this one is free.
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (i > 0 && tid == 0)
            arrive(&s.empty[(i + STAGES - 1) % STAGES]);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    int row = (group - 1) * 64 + tid / 32 * 16 + tid % 32 / 4, column = tid % 4 * 2;
    for (int i = 0; i < 64; i++)
        c[(row + i / 2 % 2 * 8) * 128 + i / 4 * 8 + column + i % 2] = d[i];
}
