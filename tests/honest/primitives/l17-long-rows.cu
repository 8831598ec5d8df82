// lesson 17; device sim,gpu; nvcc,clang; want: pass; tries: 1-D copies of 4096 bytes, rows padded by a chunk
#include <cuda.h>

LAUNCH(32, 8, 1024, 32, 131600)

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

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    extern __shared__ __align__(16) float4 rows[];  // 257 chunks each
    unsigned long long *full = (unsigned long long *)(rows + 32 * 257);

    int lane = threadIdx.x, warp = threadIdx.y, x0 = blockIdx.x * 1024, y0 = blockIdx.y * 32;
    int columns = min(1024, width - x0), have = min(32, height - y0);
    if (lane == 0 && warp == 0)
        BARRIER_INIT(full, 1);
    __syncthreads();
    if (lane == 0 && warp == 0) {
        ARRIVE_EXPECT(full, have * columns * 4);
        for (int r = 0; r < have; r++)
            COPY_ROW(rows + r * 257, in + (y0 + r) * width + x0, columns * 4, full);
    }
    WAIT(full, 0);
    if (lane < have)
        for (int q = warp; q < columns / 4; q += 8) {
            float4 four = rows[lane * 257 + q];
            float *to = out + (x0 + q * 4) * height + y0 + lane;
            to[0] = four.x;
            to[height] = four.y;
            to[2 * height] = four.z;
            to[3 * height] = four.w;
        }
}
