// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: four boxes for one phase, a tile for each warp
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
#define COPY_BOX(to, map, x, y, barrier)                                                          \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {%2, %3}], [%4];"                                                    \
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(barrier)) : "memory")

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[4][32][8];
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128, steps = min(4, (height - y0 + 31) / 32);
    if (lane == 0 && warp == 0) {
        BARRIER_INIT(&full, 1);
        ARRIVE_EXPECT(&full, steps * 4096);
        for (int step = 0; step < steps; step++)
            COPY_BOX(tile[step], &in_map, x0, y0 + step * 32, &full);
    }
    __syncthreads();
    WAIT(&full, 0);

    int y = y0 + warp * 32 + lane;  // a warp has a tile
    if (y < height)
        for (int q = 0; q < 8 && x0 + q * 4 < width; q++) {
            float4 four = tile[warp][lane][q ^ lane % 8];
            float *to = out + (x0 + q * 4) * height + y;
            to[0] = four.x;
            to[height] = four.y;
            to[2 * height] = four.z;
            to[3 * height] = four.w;
        }
}
