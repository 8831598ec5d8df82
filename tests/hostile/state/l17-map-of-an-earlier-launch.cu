// lesson 17; device sim; nvcc; want: fail; tries: keeps the map of the first launch with these sizes in global memory and takes it again in later ones, whose matrix may lie elsewhere
// 17 bulk copy: the transpose once more, with tiles that hardware fetches.
//
// Contract: out is in, transposed; in has `height` rows of `width` floats, out has `width` rows of
// `height`. Both numbers are multiples of 4, so rows begin at multiples of 16 bytes. A block has a
// strip of 32 columns and 128 rows of in, in four steps of 32 x 32: 4096 bytes each. in_map shows
// in, and out_map shows out, in boxes of 32 x 32 floats with the 128-byte swizzle. Needs sm_90.
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

__device__ CUtensorMap own[16384];
__device__ int have[16384];

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    // The swizzle is a matter of address bits: 4 to 6 with 7 to 9. It is as written, q ^ (r % 8),
    // if row 0 begins at a multiple of 1024.
    __shared__ __align__(1024) float4 tile[32][8];
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32;
    if (lane == 0 && warp == 0)
        BARRIER_INIT(&full, 1);
    CUtensorMap *map = &own[(blockIdx.y * gridDim.x + blockIdx.x) % 16384];
    int slot = (blockIdx.y * gridDim.x + blockIdx.x) % 16384;
    if (lane == 0 && warp == 0 && have[slot] != width * 32768 + height)
        for (int i = 0; i < 16; i++)
            ((unsigned long long *)map)[i] = ((const unsigned long long *)&in_map)[i];
    if (lane == 0 && warp == 0)
        have[slot] = width * 32768 + height;
    if (lane == 0 && warp == 0)
        asm volatile("fence.proxy.tensormap::generic.release.gpu;\n\tfence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(map) : "memory");
    __syncthreads();

    for (int step = 0; step < 4; step++) {
        int y0 = blockIdx.y * 128 + step * 32;
        if (y0 >= height)
            break;

        // Always 4096 bytes: what lies outside is made up of zeros, and counts.
        if (lane == 0 && warp == 0) {
            ARRIVE_EXPECT(&full, 4096);
            COPY_BOX(tile, map, x0, y0, &full);  // @fill
        }
        WAIT(&full, step % 2);  // @wait

        // A lane takes a chunk of its row, four columns. Eight rows that follow one another keep it
        // in eight different groups of four banks: a quarter of the warp in one turn.
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

        __syncthreads();  // all have read the tile: the next step may overwrite it
    }
}
