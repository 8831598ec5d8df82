// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: every warp is alone: it has a column of two boxes of its own, two mbarriers of its own, waits for its own copies, and no barrier of the block exists
#include <cuda.h>

LAUNCH(32, 4, 128, 64)

__device__ __forceinline__ unsigned at(const void *place) { return (unsigned)__cvta_generic_to_shared(place); }

__device__ __forceinline__ void ptx_barrier_init(unsigned long long *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void ptx_barriers_visible() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void ptx_arrive(unsigned long long *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}

__device__ __forceinline__ void ptx_arrive_expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}

__device__ __forceinline__ bool ptx_over(unsigned long long *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
    return over;
}

__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
    while (!ptx_over(bar, parity))
        ;
}

// The box from column x, row y on. What lies outside of the tensor is 0 and counts as bytes, too.
__device__ __forceinline__ void ptx_copy_box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

struct Lane {
    float *to;    // this lane's place in the first row of out
    int pitch, rows;

    // A quad of in's row: four columns of in, so four rows of out.
    __device__ void put(int chunk, float4 four) const
    {
        if (chunk * 4 >= rows)  // a multiple of 4
            return;
        float *p = to + (size_t)chunk * 4 * pitch;
        p[0] = four.x;
        p[pitch] = four.y;
        p[2 * pitch] = four.z;
        p[3 * pitch] = four.w;
    }
};

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tiles[4][2][32][8];  // 32 KB, a box each
    __shared__ unsigned long long full[4][2];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 128 + warp * 32, y0 = blockIdx.y * 64;
    if (x0 >= width)
        return;  // the whole warp, and nobody waits for it
    const int boxes = y0 + 32 < height ? 2 : 1;

    if (lane == 0) {
        for (int box = 0; box < boxes; box++)
            ptx_barrier_init(&full[warp][box], 1);
        ptx_barriers_visible();
        for (int box = 0; box < boxes; box++) {
            ptx_arrive_expect(&full[warp][box], 4096);
            ptx_copy_box(tiles[warp][box], &in_map, x0, y0 + box * 32, &full[warp][box]);
        }
    }
    __syncwarp();  // the others may look at the barriers now

    for (int box = 0; box < boxes; box++) {
        const int y = y0 + box * 32 + lane;
        const float4 *row = tiles[warp][box][lane];
        const Lane mine{out + (size_t)x0 * height + y, height, y < height ? width - x0 : 0};
        wait(&full[warp][box], 0);
#pragma unroll
        for (int chunk = 0; chunk < 8; chunk++)
            mine.put(chunk, row[chunk ^ (lane & 7)]);
    }
}
