// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: each block draws boxes in strides of the whole grid, with two places: next box is asked for before this one is awaited, its place was left behind the barrier of the turn before; parity is the turn's second bit
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


__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 places[2][32][8];
    __shared__ unsigned long long full[2];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const bool asks = lane == 0 && warp == 0;
    const int across = (width + 31) / 32, boxes = across * ((height + 31) / 32);
    const int stride = gridDim.x * gridDim.y;

    if (asks) {
        BARRIER_INIT(&full[0], 1);
        BARRIER_INIT(&full[1], 1);
    }
    __syncthreads();

    auto ask = [&](int box, int place) {
        if (asks && box < boxes) {
            ARRIVE_EXPECT(&full[place], 4096);
            COPY_BOX(places[place], &in_map, box % across * 32, box / across * 32, &full[place]);
        }
    };

    int box = blockIdx.y * gridDim.x + blockIdx.x;
    ask(box, 0);
    for (int turn = 0; box < boxes; turn++, box += stride) {
        ask(box + stride, ~turn & 1);
        WAIT(&full[turn & 1], turn >> 1 & 1);

        const int x0 = box % across * 32, y0 = box / across * 32;
#pragma unroll
        for (int q = warp; q < 8; q += 4) {
            const float4 four = places[turn & 1][lane][q ^ (lane & 7)];
            if (x0 + q * 4 < width && y0 + lane < height) {
                float *const to = out + (x0 + q * 4) * height + y0 + lane;
                to[0 * height] = four.x;
                to[1 * height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        __syncthreads();
    }
}
