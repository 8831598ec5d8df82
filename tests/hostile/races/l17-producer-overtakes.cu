// lesson 17; device sim,gpu; nvcc,clang; want: fail; tries: a warp that only copies; the others arrive before they use what they loaded, and on an H200 the next copy overtook the loads in 6 of 8 gradings
#include <cuda.h>

LAUNCH(32, 5, 32, 128)

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
#define ARRIVE(barrier) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(barrier)) : "memory")

enum class Role { producer, consumer };

struct __align__(1024) Places {
    float4 tile[2][32][8];
    unsigned long long full[2], empty[2];
};

template <Role R>
__device__ __forceinline__ void play(Places &p, float *out, const CUtensorMap *map, int width, int height)
{
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32;
    for (int step = 0; step < 4; step++) {
        const int y0 = blockIdx.y * 128 + step * 32, s = step & 1, round = step >> 1;
        if (y0 >= height)
            return;
        if constexpr (R == Role::producer) {
            WAIT(&p.empty[s], (round + 1) & 1);  // in the first round at once
            ARRIVE_EXPECT(&p.full[s], 4096);
            COPY_BOX(p.tile[s], map, x0, y0, &p.full[s]);
        } else {
            WAIT(&p.full[s], round);
            const float4 v[2] = {p.tile[s][lane][warp ^ (lane & 7)], p.tile[s][lane][(warp + 4) ^ (lane & 7)]};
            __syncwarp();
            if (lane == 0)
                ARRIVE(&p.empty[s]);  // this warp has what it wants
            if (y0 + lane < height)
#pragma unroll
                for (int j = 0; j < 2; j++) {
                    const int x = x0 + (warp + 4 * j) * 4;
                    if (x >= width)
                        break;
                    float *to = out + (size_t)x * height + y0 + lane;
                    to[0] = v[j].x;
                    to[(size_t)height] = v[j].y;
                    to[(size_t)height * 2] = v[j].z;
                    to[(size_t)height * 3] = v[j].w;
                }
        }
    }
}

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ Places places;
    if (threadIdx.x == 0 && threadIdx.y == 4)
        for (int s = 0; s < 2; s++) {
            BARRIER_INIT(&places.full[s], 1);
            BARRIER_INIT(&places.empty[s], 4);
        }
    __syncthreads();
    if (threadIdx.y < 4)
        play<Role::consumer>(places, out, &in_map, width, height);
    else if (threadIdx.x == 0)
        play<Role::producer>(places, out, &in_map, width, height);
}
