// lesson 19; device sim; nvcc; want: fail, diagnosis fault; tries: the producer is warp 0 alone, so the consumers are warps 1 to 4 and 5 to 8: a warp group begins at a multiple of four, and wgmma by others is undefined
// 19 wgmma. Solution: a producer, two consumers, and a ring of four stages between them.
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(288, 1, 256, 128, 196672)

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
    int t = (threadIdx.x + 96) % 128, row = row0 + t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
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

enum { STAGES = 4, A = 128 * 64, B = 256 * 64, BYTES = (A + B) * 2 };  // elements of a stage's tiles, bytes of both

__global__ void __launch_bounds__(288)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) __nv_bfloat16 tiles[];
    __nv_bfloat16 *a_tile = tiles, *b_tile = tiles + STAGES * A;
    unsigned long long *full = (unsigned long long *)(b_tile + STAGES * B), *empty = full + STAGES;

    int group = (threadIdx.x + 96) / 128, row0 = blockIdx.y * 128, column0 = blockIdx.x * 256;
    int steps = (k + 63) / 64;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            BARRIER_INIT(&full[s], 1);   // the producer arrives, and the bytes
            BARRIER_INIT(&empty[s], 2);  // one thread of each consumer
        }
        BARRIERS_READY();
    }
    __syncthreads();

    if (group == 0) {  // the producer: one thread copies, as far ahead as there are empty stages
        if (threadIdx.x == 0)
            for (int i = 0; i < steps; i++) {
                int s = i % STAGES, round = i / STAGES;
                WAIT(&empty[s], (round + 1) % 2);  // in the first round at once
                ARRIVE_AND_EXPECT(&full[s], BYTES);
                for (int j = 0; j < 2; j++)
                    COPY_BOX(a_tile + s * A + j * 4096, a_map, i * 64, row0 + j * 64, &full[s]);  // @a
                for (int j = 0; j < 4; j++)
                    COPY_BOX(b_tile + s * B + j * 4096, b_map, i * 64, column0 + j * 64, &full[s]);  // @b
            }
        return;
    }

    int half = group - 1;  // of the tile's rows
    float sum[128];
    for (int i = 0; i < steps; i++) {
        int s = i % STAGES;
        WAIT(&full[s], i / STAGES % 2);
        PRODUCTS_BEGIN();
#pragma unroll
        for (int j = 0; j < 4; j++)
            MULTIPLY(sum, descriptor(a_tile + s * A + half * 4096 + j * 16, 1024), descriptor(b_tile + s * B + j * 16, 1024), i + j == 0);  // @multiply
        PRODUCTS_CLOSE();
        PRODUCTS_WAIT(1);  // those of this stage stay under way; those before are done
        if (i > 0 && (threadIdx.x + 96) % 128 == 0)
            ARRIVE(&empty[(i - 1) % STAGES]);
    }
    PRODUCTS_WAIT(0);
    store(c, sum, row0 + half * 64, column0, m, n);
}
