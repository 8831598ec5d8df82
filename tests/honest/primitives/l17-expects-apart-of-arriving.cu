// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: four boxes at once into four places; the bytes of each are announced by expect_tx apart, its asker and lane 0 of the warp opposite arrive plainly (two arrivals); 128 x 1 threads poll by test_wait with a nap between tries
#include <cuda.h>

LAUNCH(128, 1, 32, 128)

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


#define EXPECT(barrier, bytes)                                                                    \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"                       \
                 :: "r"(AT(barrier)), "n"(bytes) : "memory")
#define ARRIVE(barrier)                                                                           \
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" :: "r"(AT(barrier)) : "memory")

__device__ __forceinline__ bool over(const unsigned long long &barrier, int parity)
{
    unsigned yes;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(yes) : "r"(AT(&barrier)), "r"(parity) : "memory");
    return yes;
}

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 places[4][32][8];
    __shared__ unsigned long long full[4];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int boxes = min(4, (height - y0 + 31) / 32);

    if (threadIdx.x < 4)
        BARRIER_INIT(&full[threadIdx.x], 2);
    __syncthreads();

    if (lane == 0) {
        if (warp < boxes) {
            EXPECT(&full[warp], 4096);
            COPY_BOX(places[warp], &in_map, x0, y0 + warp * 32, &full[warp]);
            ARRIVE(&full[warp]);
        }
        ARRIVE(&full[3 - warp]);
    }

    for (int step = 0; step < boxes; step++) {
        while (!over(full[step], 0))
            __nanosleep(20);
        const int y = y0 + step * 32 + lane;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int q = warp + 4 * j, x = x0 + q * 4;
            const float4 four = places[step][lane][q ^ (lane & 7)];
            if (x < width && y < height) {
                out[(x + 0) * height + y] = four.x;
                out[(x + 1) * height + y] = four.y;
                out[(x + 2) * height + y] = four.z;
                out[(x + 3) * height + y] = four.w;
            }
        }
    }
}
