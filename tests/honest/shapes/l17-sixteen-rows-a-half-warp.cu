// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: a half-warp takes one chunk of sixteen rows, so a store is 64 bytes of two rows of out; three places, try_wait with a hint
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

// As WAIT, but the thread says how long it would like to sleep, in ns.
#define WAIT_PATIENTLY(barrier, parity, ns)                                                       \
    for (unsigned over = 0; !over;)                                                               \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3;\n\t" \
                 "selp.u32 %0, 1, 0, p;\n\t}"                                                     \
                 : "=r"(over) : "r"(AT(barrier)), "r"(parity), "r"(ns) : "memory")

enum { PLACES = 3 };

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[PLACES][32][8];
    __shared__ unsigned long long full[PLACES];

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, top = blockIdx.y * 128;
    int steps = min(4, (height - top + 31) / 32);
    bool leader = lane == 0 && warp == 0;

    auto fetch = [&](int step) {
        ARRIVE_EXPECT(&full[step % PLACES], 4096);
        COPY_BOX(tile[step % PLACES], &in_map, x0, top + step * 32, &full[step % PLACES]);
    };

    if (leader)
        for (int s = 0; s < PLACES; s++)
            BARRIER_INIT(&full[s], 1);
    __syncthreads();
    if (leader)
        for (int s = 0; s < PLACES && s < steps; s++)
            fetch(s);

    // Half a warp takes one chunk of 16 rows: eight rows that follow one another are served together, and
    // what is stored is 64 bytes of a row of out.
    int r = warp % 2 * 16 + lane % 16, q0 = warp / 2 * 4 + lane / 16;
    for (int step = 0; step < steps; step++) {
        WAIT_PATIENTLY(&full[step % PLACES], step / PLACES % 2, 1000);
        int y = top + step * 32 + r;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int q = q0 + 2 * h, x = x0 + 4 * q;
            float4 four = tile[step % PLACES][r][q ^ r % 8];
            float *to = out + x * height + y;
            if (x < width && y < height) {
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        // The first place is wanted again by the fourth step, if there is one.
        if (step + PLACES < steps) {
            __syncthreads();
            if (leader)
                fetch(step + PLACES);
        }
    }
}
