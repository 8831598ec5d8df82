// lesson 17; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the last step's tensor store is not waited for: the block ends, its shared memory goes to another block, and the store may still be reading it
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
    __shared__ __align__(1024) float4 tile[32][8];
    __shared__ __align__(1024) float turned[32][32];
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32;
    bool leader = lane == 0 && warp == 0;
    if (leader)
        BARRIER_INIT(&full, 1);
    __syncthreads();

    for (int step = 0; step < 4; step++) {
        int y0 = blockIdx.y * 128 + step * 32;
        if (y0 >= height)
            break;

        if (leader) {
            ARRIVE_EXPECT(&full, 4096);
            COPY_BOX(tile, &in_map, x0, y0, &full);  // @fill
        }
        WAIT(&full, step % 2);  // @wait

#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tile[lane][q ^ lane % 8];  // @take
            float x[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int r = q * 4 + i;  // row of out
                turned[r][(lane / 4 ^ r % 8) * 4 + lane % 4] = x[i];  // @turn
            }
        }
        FENCE_PROXY();
        __syncthreads();

        if (leader) {
            STORE_BOX(&out_map, y0, x0, turned);  // @give
            STORE_COMMIT();
            if (step < 3 && y0 + 32 < height)  // somebody will write there again
                STORE_WAIT();
        }
        __syncthreads();
    }
}
