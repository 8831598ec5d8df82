// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: a flat block, a ring of two tiles, and no barrier of the block inside the loop: each warp hands a tile back through an `empty` mbarrier
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

// One arrival, without bytes.
#define ARRIVE(barrier) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(barrier)) : "memory")

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[2][32][8];
    __shared__ unsigned long long full[2], empty[2];

    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int steps = min(4, (height - y0 + 31) / 32);

    auto fetch = [&](int step) {
        const int s = step % 2;
        ARRIVE_EXPECT(&full[s], 4096);
        COPY_BOX(tile[s], &in_map, x0, y0 + step * 32, &full[s]);
    };

    if (t == 0) {
        for (int s = 0; s < 2; s++) {
            BARRIER_INIT(&full[s], 1);
            BARRIER_INIT(&empty[s], 4);  // one lane of each warp
        }
    }
    __syncthreads();
    if (t == 0) {
        fetch(0);
        if (steps > 1)
            fetch(1);
    }

    for (int step = 0; step < steps; step++) {
        const int s = step % 2, parity = step / 2 % 2, y = y0 + step * 32 + lane;
        WAIT(&full[s], parity);
#pragma unroll
        for (int q = warp; q < 8; q += 4) {
            const float4 four = tile[s][lane][q ^ lane % 8];
            const int x = x0 + q * 4;
            if (x < width && y < height) {
                out[x * height + y] = four.x;
                out[(x + 1) * height + y] = four.y;
                out[(x + 2) * height + y] = four.z;
                out[(x + 3) * height + y] = four.w;
            }
        }
        if (step + 2 < steps) {
            __syncwarp();  // all lanes have read
            if (lane == 0)
                ARRIVE(&empty[s]);
            if (t == 0) {
                WAIT(&empty[s], parity);
                fetch(step + 2);
            }
        }
    }
}
