// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the barrier is an mbarrier whose arrivals are .relaxed: they order no stores to the tile before the reads of other warps, a race that never shows
// 03 tiled transpose: through a tile in shared memory.
LAUNCH(32, 32, 32, 32)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long filled;

    int lane = threadIdx.x;
    if (threadIdx.y == 0 && lane == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(AT(&filled)), "r"(32) : "memory");
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // One lane arrives for its warp; everybody waits for all 32 warps.
    __syncwarp();
    if (lane == 0)
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" :: "r"(AT(&filled)) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over) : "r"(AT(&filled)), "r"(0) : "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
