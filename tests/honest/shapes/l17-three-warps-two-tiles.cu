// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: three warps share eight chunks, and the next tile is fetched while this one is turned
#include <cuda.h>

LAUNCH(32, 3, 32, 128)

__device__ inline unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ inline void barrier_init(unsigned long long *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.proxy.async.shared::cta;"
                 :: "r"(shared_address(barrier)), "r"(1) : "memory");
}

// A box of 32 x 32 floats, 4096 bytes whatever of it exists, and the barrier that learns when it is here.
__device__ inline void fetch_box(void *tile, const CUtensorMap *map, int x, int y, unsigned long long *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(4096) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(shared_address(tile)), "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)) : "memory");
}

__device__ inline bool is_over(unsigned long long *barrier, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    return over != 0;
}

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
                          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) float4 tile[2][32][8];
    __shared__ unsigned long long here[2];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
    const int steps = min(4, (height - y0 + 31) / 32);
    const bool chosen = warp == 2 && lane == 0;  // warp 2 has two chunks, the others three

    if (chosen) {
        barrier_init(&here[0]);
        barrier_init(&here[1]);
    }
    __syncthreads();
    if (chosen)
        fetch_box(tile[0], &in_map, x0, y0, &here[0]);

    for (int step = 0; step < steps; step++) {
        const int now = step & 1;
        if (chosen && step + 1 < steps)  // all have left that tile at the end of the last step
            fetch_box(tile[now ^ 1], &in_map, x0, y0 + (step + 1) * 32, &here[now ^ 1]);
        while (!is_over(&here[now], step >> 1 & 1)) {
        }

        const int row = y0 + step * 32 + lane;
        for (int q = warp; q < 8; q += 3) {
            const float4 four = tile[now][lane][q ^ lane % 8];
            const int column = x0 + q * 4;
            if (column < width && row < height) {
                out[column * height + row] = four.x;
                out[(column + 1) * height + row] = four.y;
                out[(column + 2) * height + row] = four.z;
                out[(column + 3) * height + row] = four.w;
            }
        }
        __syncthreads();
    }
}
