// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: two places, two barriers, boxes asked for one step ahead, chunks read as a Vec4 of its own (alignas(16)) by the swizzle, returned from a helper; 64 x 2 threads; right for all sizes
#include <cuda.h>

LAUNCH(64, 2, 32, 128)

struct alignas(16) Vec4 {  // my own, as in any ray tracer
    float x, y, z, w;
    __device__ Vec4 operator*(float s) const { return {x * s, y * s, z * s, w * s}; }
    __device__ Vec4 &operator+=(const Vec4 &o) { x += o.x, y += o.y, z += o.z, w += o.w; return *this; }
};
__device__ inline Vec4 vec4(float x, float y, float z, float w) { return {x, y, z, w}; }


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

struct __align__(1024) Tile { Vec4 chunk[32][8]; };

__device__ __forceinline__ Vec4 take(const Tile &tile, int r, int q) { return tile.chunk[r][q ^ (r & 7)]; }

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ Tile tiles[2];
    __shared__ unsigned long long full[2];

    const int id = threadIdx.y * 64 + threadIdx.x, lane = id & 31, warp = id >> 5;
    const long long x0 = blockIdx.x * 32ll, first = blockIdx.y * 128ll;
    const int tiles_here = (int)min(4ll, (height - first + 31) / 32);

    auto ask = [&](int step) {
        if (id == 0 && step < tiles_here) {
            ARRIVE_EXPECT(&full[step & 1], 4096);
            COPY_BOX(&tiles[step & 1], &in_map, (int)x0, (int)first + step * 32, &full[step & 1]);
        }
    };

    if (id == 0) {
        BARRIER_INIT(&full[0], 1);
        BARRIER_INIT(&full[1], 1);
    }
    __syncthreads();

    ask(0);
    int step = 0;
    do {
        ask(step + 1);
        WAIT(&full[step & 1], step >> 1 & 1);

        const long long row = first + step * 32 + lane;
        if (row < height)
#pragma unroll
            for (int q = warp; q < 8; q += 4) {
                if (x0 + q * 4 >= width)
                    break;
                const Vec4 four = take(tiles[step & 1], lane, q);
                float *to = out + (x0 + q * 4) * height + row;
                to[0] = four.x;
                to[height] = four.y;
                to[2ll * height] = four.z;
                to[3ll * height] = four.w;
            }
        __syncthreads();
    } while (++step < tiles_here);
}
