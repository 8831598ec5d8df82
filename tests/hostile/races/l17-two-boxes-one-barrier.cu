// lesson 17; device sim,gpu; nvcc,clang; want: fail|timeout; tries: two boxes are under way at one mbarrier of one arrival: the arrival for the next comes while the phase of the first may still wait for bytes, which takes more arrivals than it expects






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


    __shared__ __align__(1024) float4 tile[2][32][8];
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32;
    if (lane == 0 && warp == 0)
        BARRIER_INIT(&full, 1);
    __syncthreads();

    auto fetch = [&](int step) {
        int y = blockIdx.y * 128 + step * 32;
        if (lane == 0 && warp == 0 && step < 4 && y < height) {
            ARRIVE_EXPECT(&full, 4096);
            COPY_BOX(tile[step % 2], &in_map, x0, y, &full);
        }
    };
    fetch(0);
    for (int step = 0; step < 4; step++) {
        int y0 = blockIdx.y * 128 + step * 32;
        if (y0 >= height)
            break;
        fetch(step + 1);
        WAIT(&full, step % 2);



#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tile[step % 2][lane][q ^ lane % 8];
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }

        __syncthreads();
    }
}
