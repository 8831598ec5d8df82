// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: all four boxes under way at once, eight warps with one chunk column each; lanes read halves of chunks as float2, rows 8 to 15 the other half first
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

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[4][32][8];
    __shared__ unsigned long long full[4];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int steps = min(4, (height - y0 + 31) / 32);

    if (lane == 0 && warp == 0) {
        for (int s = 0; s < steps; s++) {
            BARRIER_INIT(&full[s], 1);
            ARRIVE_EXPECT(&full[s], 4096);
            COPY_BOX(tile[s], &in_map, x0, y0 + s * 32, &full[s]);
        }
    }
    __syncthreads();

    const int x = x0 + warp * 4;
    for (int s = 0; s < steps; s++) {
        const int y = y0 + s * 32 + lane;
        WAIT(&full[s], 0);

        // Rows r and r + 8 keep chunk q in the same four banks. So one takes its first two words while
        // the other takes the last two: 16 lanes, 32 banks.
        const float2 *chunk = reinterpret_cast<const float2 *>(&tile[s][lane][warp ^ lane % 8]);
#pragma unroll
        for (int turn = 0; turn < 2; turn++) {
            const int half = (lane / 8 + turn) % 2, column = x + half * 2;
            const float2 two = chunk[half];
            if (x < width && y < height) {
                out[column * height + y] = two.x;
                out[(column + 1) * height + y] = two.y;
            }
        }
    }
}
