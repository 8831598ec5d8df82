// lesson 17; device sim,gpu; nvcc; want: fail|timeout; tries: as soon as the copy from the landing place to the tile is issued, the next box is copied to the landing place: nobody waits until the first copy has read it (height > 32), so a tile may hold part of the next one
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

// The box of a map whose first element is column x, row y. What lies outside of the tensor becomes
// 0, and counts as bytes that have come. Chunk q of row r (16 bytes) lands at place q ^ (r % 8).
#define COPY_BOX(to, map, x, y, barrier)                                                          \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {%2, %3}], [%4];"                                                    \
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(barrier)) : "memory")

// From shared memory to shared memory of this block, the same way: the tile moves on as it lies.
#define MOVE_BOX(to, from, bytes, barrier)                                                        \
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "        \
                 "[%0], [%1], %2, [%3];"                                                          \
                 :: "r"(AT(to)), "r"(AT(from)), "r"(bytes), "r"(AT(barrier)) : "memory")

__global__ void __cluster_dims__(1, 1, 1) transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    // Boxes land in one place and are read in another: while a tile is read, the next one can land.
    // The swizzle goes by address bits, so both begin at a multiple of 1024.
    __shared__ __align__(1024) float4 landing[32][8];
    __shared__ __align__(1024) float4 tile[32][8];
    __shared__ unsigned long long landed, moved;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, top = blockIdx.y * 128;
    bool leader = lane == 0 && warp == 0;
    if (leader) {
        BARRIER_INIT(&landed, 1);
        BARRIER_INIT(&moved, 1);
        ARRIVE_EXPECT(&landed, 4096);
        COPY_BOX(landing, &in_map, x0, top, &landed);  // @fill
    }
    __syncthreads();

    for (int step = 0; step < 4; step++) {
        int y0 = top + step * 32;
        if (y0 >= height)
            break;

        if (leader) {
            WAIT(&landed, step % 2);
            ARRIVE_EXPECT(&moved, 4096);
            MOVE_BOX(tile, landing, 4096, &moved);
            // The landing place is free for the next box.
            if (step < 3 && y0 + 32 < height) {
                ARRIVE_EXPECT(&landed, 4096);
                COPY_BOX(landing, &in_map, x0, y0 + 32, &landed);
            }
        }
        WAIT(&moved, step % 2);  // @wait

#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tile[lane][q ^ lane % 8];  // @take
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {  // width is a multiple of 4
                to[0] = four.x;                              // @give
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        __syncthreads();  // all have read the tile: the next one may move there
    }
}
