// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: boxes in and boxes out, two places each: turned from one swizzled tile into another, proxy fence, tensor store, wait_group.read 1
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
// All groups of stores but the last one have read shared memory.
#define STORE_WAIT_ALL_BUT_ONE() asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory")

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 came[2][32][8];
    __shared__ __align__(1024) float goes[2][32][32];
    __shared__ unsigned long long full[2];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const bool leader = lane == 0 && warp == 0;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int steps = min(4, (height - y0 + 31) / 32);

    if (leader) {
        BARRIER_INIT(&full[0], 1);
        BARRIER_INIT(&full[1], 1);
        for (int s = 0; s < min(2, steps); s++) {
            ARRIVE_EXPECT(&full[s], 4096);
            COPY_BOX(came[s], &in_map, x0, y0 + s * 32, &full[s]);
        }
    }
    __syncthreads();

    for (int step = 0; step < steps; step++) {
        const int place = step & 1;
        WAIT(&full[place], step >> 1);
        if (step >= 2) {  // the store of two steps ago has read the place that is filled now
            if (leader)
                STORE_WAIT_ALL_BUT_ONE();
            __syncthreads();
        }

        // Element (r, c), r = lane, becomes element (c, r). Chunk r / 4 of row c goes to r / 4 ^ c % 8: for one
        // c the 32 lanes store to the 32 words of a row.
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int q = warp + j * 4;
            const float4 four = came[place][lane][q ^ (lane & 7)];
            const float each[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int c = q * 4 + i;
                goes[place][c][(((lane >> 2) ^ (c & 7)) << 2) + (lane & 3)] = each[i];
            }
        }
        FENCE_PROXY();    // each thread's own stores, for copies
        __syncthreads();  // and those of all threads, for the leader; came[place] is read

        if (leader) {
            STORE_BOX(&out_map, y0 + step * 32, x0, goes[place]);
            STORE_COMMIT();
            if (step + 2 < steps) {
                ARRIVE_EXPECT(&full[place], 4096);
                COPY_BOX(came[place], &in_map, x0, y0 + (step + 2) * 32, &full[place]);
            }
        }
    }
    if (leader)
        STORE_WAIT();  // shared memory must last until it has been read
}
