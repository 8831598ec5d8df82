// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: four boxes at once with a barrier each, issued by an elected lane before the block's only barrier, eight warps, a chunk of columns each
#include <cuda.h>

LAUNCH(32, 8, 32, 128)

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
// True in one lane of a warp that is all here.
__device__ __forceinline__ bool elected()
{
    unsigned mine;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(mine));
    return mine != 0;
}

__global__ void __launch_bounds__(256)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tiles[4][32][8];
    __shared__ unsigned long long full[4];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int steps = min(4, (height - y0 + 31) / 32);

    if (warp == 0 && elected())
        for (int s = 0; s < steps; s++) {
            BARRIER_INIT(&full[s], 1);
            ARRIVE_EXPECT(&full[s], 4096);
            COPY_BOX(tiles[s], &in_map, x0, y0 + s * 32, &full[s]);  // @fill
        }
    __syncthreads();  // the barriers exist; each is used for one phase only

    // Warp w has columns 4 w to 4 w + 3 of each tile, one chunk of the lane's row.
    const int column = x0 + warp * 4;
    float *to = out + (long long)column * height + y0 + lane;
#pragma unroll
    for (int s = 0; s < 4; s++) {
        if (s >= steps)
            break;
        WAIT(&full[s], 0);  // @wait
        const float4 four = tiles[s][lane][warp ^ (lane & 7)];  // @take
        if (column < width && y0 + s * 32 + lane < height) {    // width is a multiple of 4
            __stcs(to + s * 32, four.x);                        // @give
            __stcs(to + s * 32 + (long long)height, four.y);
            __stcs(to + s * 32 + 2ll * height, four.z);
            __stcs(to + s * 32 + 3ll * height, four.w);
        }
    }
}
