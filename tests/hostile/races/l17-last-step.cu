// lesson 17; device sim,gpu; nvcc,clang; want: fail, gate correct|hazards; tries: no wait in the last step of the last block
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
    __shared__ __align__(1024) float4 tile[32][8];
    __shared__ unsigned long long full;

    int lane = threadIdx.x, warp = threadIdx.y;
    int x0 = blockIdx.x * 32;
    if (lane == 0 && warp == 0)
        BARRIER_INIT(&full, 1);
    __syncthreads();

    for (int step = 0; step < 4; step++) {
        int y0 = blockIdx.y * 128 + step * 32;
        if (y0 >= height)
            break;

        // Always 4096 bytes: what lies outside is made up of zeros, and counts.
        if (lane == 0 && warp == 0) {
            ARRIVE_EXPECT(&full, 4096);
            COPY_BOX(tile, &in_map, x0, y0, &full);
        }
        if (step != 3 || blockIdx.x + 1 < gridDim.x || blockIdx.y + 1 < gridDim.y)
            WAIT(&full, step % 2);

        // A lane takes a chunk of its row, four columns. Eight rows that follow one another keep it
        // in eight different groups of four banks: a quarter of the warp in one turn.
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int q = warp + j * 4;
            float4 four = tile[lane][q ^ lane % 8];
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            if (x0 + q * 4 < width && y0 + lane < height) {  // width is a multiple of 4
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }

        __syncthreads();  // all have read the tile: the next step may overwrite it
    }
}
