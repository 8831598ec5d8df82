// lesson 19; device sim,gpu; nvcc,clang; want: full; tries: the producer is six lanes of one warp, each waits for the stage, announces its own 8192 bytes and asks for its own box (full counts six arrivals); a consumer group gives a stage back by one arrival with a count of four
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(384, 1, 256, 128, 197632)

// Macros, so that the lab shows the lines that use them.
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

// A barrier in shared memory. A phase of it ends when `count` threads have arrived, and as many bytes have as were announced.
#define BARRIER_INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory")
#define BARRIERS_READY() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")  // for the copies' unit, too
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(bar)) : "memory")
#define ARRIVE_AND_EXPECT(bar, bytes) \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
// Returns when the phase with this parity has ended. The first has parity 0, the second 1, the third 0. A new barrier is in its
// first, so waiting for parity 1 returns at once.
#define WAIT(bar, parity)                                                                                              \
    for (unsigned done = 0; !done;)                                                                                    \
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"       \
                 : "=r"(done) : "r"(AT(bar)), "r"(parity) : "memory")

// One thread has a box of 64 rows of 64 elements copied, from column x and row y on. 8192 bytes, which arrive at bar.
// The map swizzles: chunk q of row r, 16 bytes, goes to place q ^ r % 8 of that row.
#define COPY_BOX(to, map, x, y, bar)                                                                                   \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "                   \
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(AT(to)), "l"(&map), "r"(x), "r"(y), "r"(AT(bar)) : "memory")

// What wgmma is told of an operand, in 64 bits: where it begins; from row 8 to row 8 the stride; and the swizzle. All in units of 16
// bytes. Bits 16 to 29 are another distance, which rows of 128 bytes with this swizzle have no use for.
__device__ unsigned long long descriptor(const void *tile, int stride)
{
    return AT(tile) / 16 & 0x3fff | (unsigned long long)(stride / 16) << 32 | 1ull << 62;
}

// sum += (64 x 16 of a) (256 x 16 of b, transposed), by all four warps of a group; under way when it returns. first: sum = …
#define F16(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),          \
    "+f"(d[i + 6]), "+f"(d[i + 7]), "+f"(d[i + 8]), "+f"(d[i + 9]), "+f"(d[i + 10]), "+f"(d[i + 11]),                  \
    "+f"(d[i + 12]), "+f"(d[i + 13]), "+f"(d[i + 14]), "+f"(d[i + 15])
#define MULTIPLY(sum, a, b, first)                                                                                     \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %130, 0;\n"                                                           \
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"                                             \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                              \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                    \
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                    \
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                    \
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                    \
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                    \
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "        \
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"      \
                 "}, %128, %129, p, 1, 1, 0, 0; }"                                                                     \
                 : F16(sum, 0), F16(sum, 16), F16(sum, 32), F16(sum, 48), F16(sum, 64), F16(sum, 80), F16(sum, 96),    \
                   F16(sum, 112)                                                                                       \
                 : "l"(a), "l"(b), "r"((int)(first)) : "memory")
#define PRODUCTS_BEGIN() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")  // before the first that takes these registers
#define PRODUCTS_CLOSE() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")  // those since the last one are a group
#define PRODUCTS_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned " #n ";" ::: "memory")  // all groups, but for the last n

// The registers of each thread of a warp group. What one group gives up another may take.
#define FEWER_REGISTERS(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 " #n ";")
#define MORE_REGISTERS(n) asm volatile("setmaxnreg.inc.sync.aligned.u32 " #n ";")

// A warp group's 64 x 256 sums: warp w has rows 16 w to 16 w + 15; lane l of it has of row l / 4, and of the row 8 below, two neighbours
// of eight columns each: l % 4 * 2 and the next.
__device__ void store(float *c, const float (&sum)[128], int row0, int column0, int m, int n)
{
    int t = threadIdx.x % 128, row = row0 + t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
#pragma unroll
    for (int i = 0; i < 64; i++) {
        int y = row + i % 2 * 8, x = column + i / 2 * 8;
        float *to = c + (size_t)y * n + x;
        if (y < m && x + 1 < n && n % 2 == 0)  // rows are multiples of 8 bytes: both or none
            *(float2 *)to = make_float2(sum[i * 2], sum[i * 2 + 1]);
        if (y < m && x < n && n % 2)
            to[0] = sum[i * 2];
        if (y < m && x + 1 < n && n % 2)
            to[1] = sum[i * 2 + 1];
    }
}

template <int Stages>
struct Cursor {
    unsigned stage : 8, odd : 1;  // which stage, and whether this is an odd round of the ring
    __device__ void next()
    {
        const bool last = stage == Stages - 1;
        odd = odd ^ last;
        stage = last ? 0 : stage + 1;
    }
};

__device__ __forceinline__ void give_back(const unsigned long long *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "n"(4) : "memory");
}

constexpr int STAGES = 4, A = 128 * 64, B = 256 * 64, BYTES = (A + B) * 2;

struct __align__(1024) Ring {
    __nv_bfloat16 a[STAGES][A], b[STAGES][B];
    unsigned long long full[STAGES], empty[STAGES];
};

__global__ void __launch_bounds__(384)
matmul(float *c, const __nv_bfloat16 *, const __nv_bfloat16 *, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Ring &ring = *reinterpret_cast<Ring *>(memory);

    const int group = threadIdx.x >> 7, row0 = blockIdx.y * 128, column0 = blockIdx.x * 256;
    const int steps = (k + 63) >> 6;
    if (threadIdx.x == 0) {
#pragma unroll
        for (int s = 0; s < STAGES; s++) {
            BARRIER_INIT(&ring.full[s], 6);
            BARRIER_INIT(&ring.empty[s], 8);
        }
        BARRIERS_READY();
    }
    __syncthreads();

    Cursor<STAGES> at{0, 0};
    if (group == 0) {
        FEWER_REGISTERS(40);
        const int box = threadIdx.x;  // 0 and 1 are of a, 2 to 5 of b
        if (box < 6)
            for (int i = 0; i < steps; i++, at.next()) {
                const int s = at.stage;
                WAIT(&ring.empty[s], at.odd ^ 1u);
                ARRIVE_AND_EXPECT(&ring.full[s], 8192);
                if (box < 2)
                    COPY_BOX(ring.a[s] + box * 4096, a_map, i * 64, row0 + box * 64, &ring.full[s]);
                else
                    COPY_BOX(ring.b[s] + (box - 2) * 4096, b_map, i * 64, column0 + (box - 2) * 64, &ring.full[s]);
            }
    } else {
        MORE_REGISTERS(232);
        const int half = group - 1;
        float sum[128];
        int before = -1;  // the stage of the step before
        for (int i = 0; i < steps; i++, at.next()) {
            const int s = at.stage;
            WAIT(&ring.full[s], at.odd);
            const unsigned long long x = descriptor(ring.a[s] + half * 4096, 1024), y = descriptor(ring.b[s], 1024);
            PRODUCTS_BEGIN();
#pragma unroll
            for (int j = 0; j < 4; j++)  // 32 bytes further along k are two units of the descriptor
                MULTIPLY(sum, x + 2 * j, y + 2 * j, i == 0 && j == 0);
            PRODUCTS_CLOSE();
            PRODUCTS_WAIT(1);
            if (before >= 0 && (threadIdx.x & 127) == 0)
                give_back(&ring.empty[before]);
            before = s;
        }
        PRODUCTS_WAIT(0);
        store(c, sum, row0 + half * 64, column0, m, n);
    }
}
