// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: an mbarrier that is waited for in the phase before
LAUNCH(32, 32, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long all;
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1024;" ::"r"(AT(&all)) : "memory");
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // The element that a thread writes was brought by another warp. The barrier is
    // outside every `if`: all threads of the block must reach it, even those that had
    // nothing to load.
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(AT(&all)) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(AT(&all)) : "memory");

    // Two swaps. The block indices: the tile at block (x, y) of in lands at block (y, x) of
    // out. The thread indices: inside the tile, row and column change places, and that
    // happens in the index into `tile`, so that threadIdx.x still runs along a row of
    // global memory.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;

    // out is width rows of height: a new guard for new indices.
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];  // @write
}
