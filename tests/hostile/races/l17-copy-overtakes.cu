// lesson 17; device sim,gpu; nvcc,clang; want: fail; tries: arrives before anything uses what was loaded: on an H200 the next copy overtook the load in 4 of 8 gradings
#include <cuda.h>

LAUNCH(32, 4, 32, 128)

// Macros, so that the lab shows the lines that use them.
//
// A barrier that waits for bytes: 8 bytes of shared memory. A phase of it ends when `arrivals`
// threads have arrived and all bytes that they announced have come. Then the next one begins.
#define AT(place) ((unsigned)__cvta_generic_to_shared(place))
#define BARRIER_INIT(barrier, arrivals)                                                           \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.proxy.async.shared::cta;"      \
                 :: "r"(AT(barrier)), "r"(arrivals) : "memory")
#define ARRIVE_EXPECT(barrier, bytes)                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"                         \
                 :: "r"(AT(barrier)), "r"(bytes) : "memory")
// Until the phase of this parity is over: 0 for the first phase, 1 for the second, 0 for the third …
#define WAIT(barrier, parity)                                                                     \
    for (unsigned over = 0; !over;)                                                               \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t" \
                 "selp.u32 %0, 1, 0, p;\n\t}"                                                     \
                 : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory")

// From global memory: `bytes` in a row, a multiple of 16, between addresses that are multiples of 16.
#define COPY_ROW(to, from, bytes, barrier)                                                        \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "             \
                 "[%0], [%1], %2, [%3];"                                                          \
                 :: "r"(AT(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(AT(barrier)) : "memory")
// The box of a map whose first element is column x, row y. What lies outside of the tensor becomes
// 0, and counts as bytes that have come. Chunk q of row r (16 bytes) lands at place q ^ (r % 8).
#define COPY_BOX(to, map, x, y, barrier)                                                          \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {%2, %3}], [%4];"                                                    \
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(barrier)) : "memory")

// To global memory, for going further: the box as it lies in shared memory, swizzled. What lies
// outside of the tensor is not written. A thread closes the group of its copies and waits until
// they have read shared memory.
#define STORE_BOX(map, x, y, from)                                                                \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" \
                 :: "l"(map), "r"(x), "r"(y), "r"(AT(from)) : "memory")
#define STORE_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define STORE_WAIT() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
// What this thread stored before is seen by bulk copies that come later.
#define FENCE_PROXY() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

constexpr int PLACES = 2;

// Which place comes next, and which phase of its barriers.
struct State {
    unsigned place, phase;
    __device__ __forceinline__ State &operator++()
    {
        if (++place == PLACES) {
            place = 0;
            phase ^= 1;
        }
        return *this;
    }
};

struct __align__(1024) Storage {
    float4 tile[PLACES][32][8];
    unsigned long long full[PLACES], empty[PLACES];
};

// One lane of the warp, which the hardware chooses; all 32 come here together.
__device__ __forceinline__ bool elect_one()
{
    unsigned chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(chosen));
    return chosen;
}

__device__ __forceinline__ void load_box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *full)
{
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    ARRIVE_EXPECT(full, 4096);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
                 "[%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(full)), "l"(policy) : "memory");
}

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ Storage shared;

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y_first = blockIdx.y * 128;
    const int steps = min(4, (height - y_first + 31) / 32);
    const bool leader = warp == 0 && elect_one();

    if (leader) {
        asm volatile("prefetch.tensormap [%0];" :: "l"(&in_map) : "memory");
#pragma unroll
        for (int p = 0; p < PLACES; p++) {
            BARRIER_INIT(&shared.full[p], 1);
            BARRIER_INIT(&shared.empty[p], 4);  // one arrival of each warp
        }
    }
    __syncthreads();

    State write = {0, 1}, read = {0, 0};  // new places are empty: the phase before the first is over
    int next = 0;
    auto produce = [&] {  // by the leader
        WAIT(&shared.empty[write.place], write.phase);
        load_box(shared.tile[write.place], &in_map, x0, y_first + next * 32, &shared.full[write.place]);
        ++write;
        ++next;
    };
    if (leader)
        while (next < min(PLACES, steps))
            produce();

    for (int step = 0; step < steps; step++, ++read) {
        const int y0 = y_first + step * 32;
        WAIT(&shared.full[read.place], read.phase);

        float4 four[2];
#pragma unroll
        for (int j = 0; j < 2; j++)
            four[j] = shared.tile[read.place][lane][(warp + j * 4) ^ lane % 8];

        // What the warp wants of this place is in registers: it may be filled again.
        __syncwarp();
        if (lane == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(&shared.empty[read.place])) : "memory");
        if (leader && next < steps)
            produce();
        __syncwarp();

#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int column = x0 + (warp + j * 4) * 4;
            float *to = out + column * height + y0 + lane;
            if (column < width && y0 + lane < height) {
                to[0] = four[j].x;
                to[height] = four[j].y;
                to[2 * height] = four[j].z;
                to[3 * height] = four[j].w;
            }
        }
    }
}
