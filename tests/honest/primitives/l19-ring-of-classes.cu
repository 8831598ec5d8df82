// lesson 19; device sim; nvcc,clang; want: full; tries: the ring as classes with a state of (stage, phase), the producers are the last warp group and elect a lane, each consumer warp gives a stage back by itself after wait 0
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(384, 1, 256, 128, 196672)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

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

namespace ring {

constexpr int stages = 4, a_bytes = 128 * 64 * 2, b_bytes = 256 * 64 * 2, stage_bytes = a_bytes + b_bytes;

// An mbarrier: a phase of it ends with so many arrivals and all announced bytes.
class Barrier {
    unsigned long long word_;

public:
    __device__ void init(int arrivals) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(&word_)), "r"(arrivals) : "memory"); }
    __device__ void arrive() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&word_)) : "memory"); }
    __device__ void arrive_expecting(unsigned bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&word_)), "r"(bytes) : "memory");
    }
    __device__ void wait(unsigned parity)
    {
        unsigned done;
        do
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(AT(&word_)), "r"(parity) : "memory");
        while (!done);
    }
};

// Where somebody stands in the ring.
class State {
    int stage_ = 0;
    unsigned phase_;

public:
    __device__ explicit State(unsigned phase) : phase_(phase) {}
    __device__ int stage() const { return stage_; }
    __device__ unsigned phase() const { return phase_; }
    __device__ State &operator++()
    {
        if (++stage_ == stages) {
            stage_ = 0;
            phase_ ^= 1;
        }
        return *this;
    }
};

struct Storage {
    unsigned char a[stages][a_bytes];
    unsigned char b[stages][b_bytes];
    Barrier full[stages], empty[stages];
};
static_assert(sizeof(Storage) == 196672, "as LAUNCH says");

}  // namespace ring

enum class Role { first_half, second_half, producer };

// Rows of 128 bytes in the 128-byte swizzle; 1024 bytes from eight rows to the next eight.
__device__ __forceinline__ unsigned long long described(const unsigned char *at)
{
    return (unsigned long long)(AT(at) >> 4 & 0x3fff) | 64ull << 32 | 1ull << 62;
}

__device__ __forceinline__ void copy_box(void *to, const CUtensorMap &map, int x, int y, ring::Barrier &bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(AT(to)), "l"(&map), "r"(x), "r"(y), "r"(AT(&bar)) : "memory");
}

__device__ __forceinline__ bool elected()
{
    unsigned yes;
    asm volatile("{ .reg .pred p; .reg .b32 lane; elect.sync lane|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(yes));
    return yes;
}

__global__ void __launch_bounds__(384)
matmul(float *c, const __nv_bfloat16 *, const __nv_bfloat16 *, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    ring::Storage &shared = *reinterpret_cast<ring::Storage *>(memory);

    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 256, steps = (k + 63) / 64;
    const Role role = static_cast<Role>(threadIdx.x / 128);

    if (threadIdx.x < ring::stages) {
        shared.full[threadIdx.x].init(1);
        shared.empty[threadIdx.x].init(2 * 4);  // every warp that multiplies
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    if (role == Role::producer) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x / 32 == 8 && elected()) {
            ring::State at(1);  // what has never been filled counts as empty
            for (int i = 0; i < steps; ++i, ++at) {
                const int s = at.stage();
                shared.empty[s].wait(at.phase());
                shared.full[s].arrive_expecting(ring::stage_bytes);
#pragma unroll
                for (int box = 0; box < 2; ++box)
                    copy_box(shared.a[s] + box * 8192, a_map, i * 64, row0 + box * 64, shared.full[s]);
#pragma unroll
                for (int box = 0; box < 4; ++box)
                    copy_box(shared.b[s] + box * 8192, b_map, i * 64, column0 + box * 64, shared.full[s]);
            }
        }
        return;
    }

    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int half = role == Role::second_half;
    float sum[128];

    ring::State at(0);
    for (int i = 0; i < steps; ++i, ++at) {
        const int s = at.stage();
        shared.full[s].wait(at.phase());
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int j = 0; j < 4; ++j)
            MULTIPLY(sum, described(shared.a[s] + half * 8192 + j * 32), described(shared.b[s] + j * 32), i + j == 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");  // meanwhile the other half multiplies
        if (threadIdx.x % 32 == 0)
            shared.empty[s].arrive();
    }

    // Thread t of a group has rows t / 32 * 16 + t % 32 / 4 and the one 8 below, pairs of columns.
    const int t = threadIdx.x % 128, column = column0 + t % 4 * 2;
    const bool pairs = n % 2 == 0;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int row = row0 + half * 64 + t / 32 * 16 + t % 32 / 4 + h * 8;
        if (row >= m)
            continue;
        float *to = c + (size_t)row * n + column;
#pragma unroll
        for (int j = 0; j < 32; ++j, to += 8) {
            const int x = column + 8 * j;
            const float left = sum[4 * j + 2 * h], right = sum[4 * j + 2 * h + 1];
            if (pairs && x < n)
                *reinterpret_cast<float2 *>(to) = make_float2(left, right);
            if (!pairs && x < n)
                to[0] = left;
            if (!pairs && x + 1 < n)
                to[1] = right;
        }
    }
}
