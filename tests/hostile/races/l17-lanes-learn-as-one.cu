// lesson 17; device sim,gpu; nvcc,clang; want: fail|timeout; tries: two boxes a step, each with an mbarrier of its own. Lanes 0 to 15 of each warp wait for the first, lanes 16 to 31 for the second, and then every lane reads both tiles: no lane has waited for the box that the other half waited for, and there is no __syncwarp() or barrier between the waits and the reads. Lanes of a warp do not learn from each other's waits, so half of the reads may come before their box. Any height with a second box (> 32 rows in a step).
// 17 bulk copy: two boxes at once, and half a warp waits for each.
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

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[2][32][8];
    __shared__ unsigned long long full[2];

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32;
    if (lane == 0 && warp == 0)
        for (int i = 0; i < 2; i++)
            BARRIER_INIT(&full[i], 1);
    __syncthreads();

    for (int step = 0; step < 2; step++) {
        int y0 = blockIdx.y * 128 + step * 64;
        if (y0 >= height)
            break;
        int boxes = y0 + 32 < height ? 2 : 1;
        if (lane == 0 && warp == 0)
            for (int i = 0; i < boxes; i++) {
                ARRIVE_EXPECT(&full[i], 4096);
                COPY_BOX(tile[i], &in_map, x0, y0 + i * 32, &full[i]);  // @fill
            }
        // A warp asks both questions at once: its lower half the first, its upper half the second.
        if (lane < 16 || boxes < 2) {
            WAIT(&full[0], step % 2);  // @wait
        } else {
            WAIT(&full[1], step % 2);
        }

        for (int i = 0; i < boxes; i++) {
            int y = y0 + i * 32 + lane;
#pragma unroll
            for (int j = 0; j < 2; j++) {
                int q = warp + j * 4;
                float4 four = tile[i][lane][q ^ lane % 8];  // @take
                float *to = out + (x0 + q * 4) * height + y;
                if (x0 + q * 4 < width && y < height) {  // width is a multiple of 4
                    to[0] = four.x;                      // @give
                    to[height] = four.y;
                    to[2 * height] = four.z;
                    to[3 * height] = four.w;
                }
            }
        }
        __syncthreads();  // all have read the tiles: the next step may overwrite them
    }
}
