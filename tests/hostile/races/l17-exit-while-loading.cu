// lesson 17; device sim,gpu; nvcc,clang; want: fail|timeout; tries: boxes are fetched two steps ahead without asking whether those steps exist: a block with fewer than four steps ends while copies into its shared memory are under way, which then belongs to another block
#include <cuda.h>

LAUNCH(32, 4, 32, 128)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))
#define BARRIER_INIT(barrier, arrivals)                                                           \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.proxy.async.shared::cta;"      \
                 :: "r"(AT(barrier)), "r"(arrivals) : "memory")
#define ARRIVE_EXPECT(barrier, bytes)                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"                         \
                 :: "r"(AT(barrier)), "r"(bytes) : "memory")
#define WAIT(barrier, parity)                                                                     \
    for (unsigned over = 0; !over;)                                                               \
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t" \
                 "selp.u32 %0, 1, 0, p;\n\t}"                                                     \
                 : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory")

#define COPY_ROW(to, from, bytes, barrier)                                                        \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "             \
                 "[%0], [%1], %2, [%3];"                                                          \
                 :: "r"(AT(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(AT(barrier)) : "memory")
#define COPY_BOX(to, map, x, y, barrier)                                                          \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {%2, %3}], [%4];"                                                    \
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(barrier)) : "memory")

#define STORE_BOX(map, x, y, from)                                                                \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" \
                 :: "l"(map), "r"(x), "r"(y), "r"(AT(from)) : "memory")
#define STORE_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define STORE_WAIT() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define FENCE_PROXY() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")


__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tiles[2][32][8];
    __shared__ unsigned long long full[2];

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, first = blockIdx.y * 128;
    bool leader = lane == 0 && warp == 0;
    if (leader)
        for (int s = 0; s < 2; s++) {
            BARRIER_INIT(&full[s], 1);
            ARRIVE_EXPECT(&full[s], 4096);
            COPY_BOX(tiles[s], &in_map, x0, first + s * 32, &full[s]);  // what lies outside is 0
        }
    __syncthreads();

    for (int step = 0; step < 4; step++) {
        int y0 = first + step * 32, s = step % 2;
        if (y0 >= height)
            break;
        WAIT(&full[s], step / 2);  // @wait

#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tiles[s][lane][q ^ lane % 8];  // @take
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {
                to[0] = four.x;                          // @give
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }

        __syncthreads();
        if (leader && step < 2) {
            ARRIVE_EXPECT(&full[s], 4096);
            COPY_BOX(tiles[s], &in_map, x0, y0 + 64, &full[s]);  // @fill
        }
    }
}
