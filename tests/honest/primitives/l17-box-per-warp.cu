// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: each warp fetches a box of its own with a barrier of its own, all four in flight, no __syncthreads at all
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

// A box as it lands: chunk q of row r at place q ^ (r % 8).
struct __align__(1024) Box {
    float4 chunk[32][8];
    __device__ __forceinline__ float4 operator()(int r, int q) const { return chunk[r][q ^ (r & 7)]; }
};
static_assert(sizeof(Box) == 4096, "a box");

// Each warp is a world of its own: its box, its barrier, one phase. No barrier of the block anywhere.
__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ Box boxes[4];
    __shared__ unsigned long long arrived[4];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128 + warp * 32;
    if (y0 >= height)  // the whole warp, and nobody waits for it
        return;

    const Box &box = boxes[warp];
    unsigned long long *const full = &arrived[warp];
    if (lane == 0) {
        BARRIER_INIT(full, 1);
        ARRIVE_EXPECT(full, (unsigned)sizeof(Box));
        COPY_BOX(&box, &in_map, x0, y0, full);
    }
    __syncwarp();  // nobody waits at a barrier that is not there yet
    WAIT(full, 0);

    if (y0 + lane >= height)
        return;
    float *to = out + x0 * height + y0 + lane;
#pragma unroll
    for (int q = 0; q < 8; q++, to += 4 * height) {
        if (x0 + 4 * q >= width)  // width is a multiple of 4: all four columns or none
            break;
        const float4 four = box(lane, q);
        to[0] = four.x;
        to[height] = four.y;
        to[2 * height] = four.z;
        to[3 * height] = four.w;
    }
}
