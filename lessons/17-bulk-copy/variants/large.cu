// 64 x 64 floats at a time: four boxes for one phase, and blocks that follow each other down the columns of in.
#include <cuda.h>

LAUNCH(32, 8, 64, 64)

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
    __shared__ __align__(1024) float4 tile[4][32][8];  // left and right, then the two below
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int number = blockIdx.y * gridDim.x + blockIdx.x;  // blocks start in this order
    int x0 = number / gridDim.y * 64, y0 = number % gridDim.y * 64;
    if (lane == 0 && warp == 0) {
        BARRIER_INIT(&full, 1);
        ARRIVE_EXPECT(&full, 4 * 4096);
        for (int box = 0; box < 4; box++)
            COPY_BOX(tile[box], &in_map, x0 + box % 2 * 32, y0 + box / 2 * 32, &full);
    }
    __syncthreads();
    WAIT(&full, 0);

    // A warp has one chunk of all 64 rows, and one in the other half of the columns.
#pragma unroll
    for (int box = 0; box < 4; box++) {
        float4 four = tile[box][lane][warp ^ lane % 8];
        int x = x0 + box % 2 * 32 + warp * 4, y = y0 + box / 2 * 32 + lane;
        float *to = out + x * height + y;
        if (x < width && y < height) {
            to[0] = four.x;
            to[height] = four.y;
            to[2 * height] = four.z;
            to[3 * height] = four.w;
        }
    }
}
