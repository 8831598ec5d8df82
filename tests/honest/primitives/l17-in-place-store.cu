// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: boxes in and boxes out, transposed in place: 4 x 4 blocks in registers, pairs of warps at named barriers, tensor stores; lanes on a diagonal
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

__device__ __forceinline__ void meet(int which) { asm volatile("bar.sync %0, 64;" ::"r"(which) : "memory"); }

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tiles[4][32][8];
    __shared__ unsigned long long full[4];

    const int id = threadIdx.y * 32 + threadIdx.x, pair = id / 64, me = id % 64;
    const int x0 = blockIdx.x * 32, top = blockIdx.y * 128;

    if (id == 0) {
        for (int t = 0; t < 4; t++)
            BARRIER_INIT(&full[t], 1);
        for (int t = 0; t < 4 && top + t * 32 < height; t++) {
            ARRIVE_EXPECT(&full[t], 4096);
            COPY_BOX(tiles[t], &in_map, x0, top + t * 32, &full[t]);
        }
    }
    __syncthreads();

    // Thread me has the block of 4 x 4 with columns 4 q … and rows 4 g …, on a diagonal: eight lanes that follow
    // one another differ in q and in g, and so both their reads and their writes fall into eight groups of banks.
    const int q = me % 8, g = me % 8 ^ me / 8;
    for (int t = pair; t < 4 && top + t * 32 < height; t += 2) {
        float4(*tile)[8] = tiles[t];
        WAIT(&full[t], 0);
        float4 v[4];
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int r = 4 * g + e;
            v[e] = tile[r][q ^ (r & 7)];
        }
        meet(1 + pair);  // both warps have read all of it
        const float4 w[4] = {make_float4(v[0].x, v[1].x, v[2].x, v[3].x), make_float4(v[0].y, v[1].y, v[2].y, v[3].y),
                             make_float4(v[0].z, v[1].z, v[2].z, v[3].z), make_float4(v[0].w, v[1].w, v[2].w, v[3].w)};
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int r = 4 * q + e;
            tile[r][g ^ (r & 7)] = w[e];
        }
        FENCE_PROXY();  // each thread for what it has stored, then all meet
        meet(1 + pair);
        if (me == 0) {
            STORE_BOX(&out_map, top + t * 32, x0, tile);
            STORE_COMMIT();
        }
    }
    if (me == 0)
        STORE_WAIT();  // shared memory has to last until it is read
}
