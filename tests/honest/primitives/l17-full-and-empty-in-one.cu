// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: one mbarrier says full and empty at once: its phase ends with the next bytes and an elected arrival of each warp that has read
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
#define ARRIVE(barrier) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(barrier)) : "memory")
#define EXPECT(barrier, bytes)                                                                    \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(AT(barrier)), "r"(bytes) : "memory")
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
    __shared__ __align__(1024) float4 tile[2][32][8];
    __shared__ unsigned long long ready;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, first = blockIdx.y * 128;
    int left = (height - first + 31) / 32, steps = left < 4 ? left : 4;

    // Phase s ends when the bytes of step s have come and all four warps are through with step s - 1.
    if (lane == 0 && warp == 0)
        BARRIER_INIT(&ready, 4);
    __syncthreads();
    if (lane == 0 && warp == 0) {
        EXPECT(&ready, 4096);
        COPY_BOX(tile[0], &in_map, x0, first, &ready);
    }
    if (lane == 0)
        ARRIVE(&ready);  // warp 0's comes after its announcement

    for (int step = 0; step < steps; step++) {
        int y0 = first + step * 32;
        WAIT(&ready, step % 2);
        if (step + 1 < steps && lane == 0 && warp == 0) {
            EXPECT(&ready, 4096);
            COPY_BOX(tile[(step + 1) % 2], &in_map, x0, y0 + 32, &ready);
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tile[step % 2][lane][q ^ lane % 8];
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        __syncwarp();
        if (step + 1 < steps && lane == 0)
            ARRIVE(&ready);
    }
}
