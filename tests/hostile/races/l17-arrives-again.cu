// lesson 17; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a ring of three tiles. Each thread loads its two chunks, arrives at `empty` before anything has used them, then stores them, then arrives at `left`, for which nobody waits. The arrival at `empty` is what lets the next box into the tile, and it does not wait for the loads that are under way: the box may overtake them, and the thread stores floats of the box after next (measured on H200s for rings like this one). Any block with more than three steps (height > 96 within its 256 rows).
// 17 bulk copy: three tiles in a ring, two barriers for each.
#include <cuda.h>

LAUNCH(32, 4, 32, 256)

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

#define ARRIVE(barrier) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(barrier)) : "memory")

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    enum { STAGES = 3 };
    __shared__ __align__(1024) float4 tile[STAGES][32][8];
    __shared__ unsigned long long full[STAGES], empty[STAGES], left[STAGES];

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 256, steps = min(8, (height - y0 + 31) / 32);
    bool is_elected = lane == 0 && warp == 0;
    if (is_elected)
        for (int s = 0; s < STAGES; s++) {
            BARRIER_INIT(&full[s], 1);
            BARRIER_INIT(&empty[s], 128);
            BARRIER_INIT(&left[s], 128);  // counts those who are through with a step
        }
    __syncthreads();
    if (is_elected)
        for (int step = 0; step < 2 && step < steps; step++) {
            ARRIVE_EXPECT(&full[step], 4096);
            COPY_BOX(tile[step], &in_map, x0, y0 + step * 32, &full[step]);  // @fill
        }

    for (int step = 0; step < steps; step++) {
        // Two steps ahead: the tile of the step before this one, once all have taken theirs.
        int ahead = step + 2, to = ahead % STAGES, s = step % STAGES;
        if (is_elected && ahead < steps) {
            if (step > 0)
                WAIT(&empty[to], (step - 1) / STAGES % 2);
            ARRIVE_EXPECT(&full[to], 4096);
            COPY_BOX(tile[to], &in_map, x0, y0 + ahead * 32, &full[to]);
        }
        WAIT(&full[s], step / STAGES % 2);  // @wait

        int y = y0 + step * 32 + lane, q = warp;
        float4 one = tile[s][lane][q ^ lane % 8], two = tile[s][lane][q + 4 ^ lane % 8];  // @take
        ARRIVE(&empty[s]);  // this thread has taken what it wants

        float *to_one = out + (x0 + q * 4) * height + y, *to_two = to_one + 16 * height;
        if (x0 + q * 4 < width && y < height) {
            to_one[0] = one.x;  // @give
            to_one[height] = one.y;
            to_one[2 * height] = one.z;
            to_one[3 * height] = one.w;
        }
        if (x0 + q * 4 + 16 < width && y < height) {
            to_two[0] = two.x;
            to_two[height] = two.y;
            to_two[2 * height] = two.z;
            to_two[3 * height] = two.w;
        }
        ARRIVE(&left[s]);  // and has stored it
    }
}
