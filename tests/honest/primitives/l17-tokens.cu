// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: all 128 threads arrive in each step, and each waits for the phase that its own token names
#include <cuda.h>

LAUNCH(32, 4, 32, 128)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

struct Barrier {
    unsigned long long word;
    typedef unsigned long long token;

    __device__ void make(unsigned arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(AT(&word)), "r"(arrivals) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __device__ token arrive()
    {
        token phase;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(phase) : "r"(AT(&word)) : "memory");
        return phase;
    }
    __device__ token arrive_and_announce(unsigned bytes)
    {
        token phase;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(phase) : "r"(AT(&word)), "r"(bytes) : "memory");
        return phase;
    }
    __device__ void wait(token phase)
    {
        unsigned over;
        do
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(AT(&word)), "l"(phase) : "memory");
        while (!over);
    }
};

#define COPY_BOX(to, map, x, y, barrier)                                                          \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
                 "[%0], [%1, {%2, %3}], [%4];"                                                    \
                 :: "r"(AT(to)), "l"(map), "r"(x), "r"(y), "r"(AT(barrier)) : "memory")

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[32][8];
    __shared__ Barrier full;

    const int lane = threadIdx.x, warp = threadIdx.y, x0 = blockIdx.x * 32;
    const bool first = lane == 0 && warp == 0;

    if (first)
        full.make(32 * 4);
    __syncthreads();

    const int last = min(height, (int)blockIdx.y * 128 + 128);
    for (int y0 = blockIdx.y * 128; y0 < last; y0 += 32) {
        Barrier::token mine;
        if (first) {
            mine = full.arrive_and_announce(4096);
            COPY_BOX(tile, &in_map, x0, y0, &full);
        } else
            mine = full.arrive();
        full.wait(mine);

#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int q = warp * 2 + j;  // columns 4 q to 4 q + 3
            const float4 four = tile[lane][q ^ lane % 8];
            if (x0 + q * 4 < width && y0 + lane < height) {
                float *to = out + (size_t)(x0 + q * 4) * height + y0 + lane;
                to[0] = four.x;
                to[height] = four.y;
                to[2 * height] = four.z;
                to[3 * height] = four.w;
            }
        }
        __syncthreads();  // the tile may be overwritten
    }
}
