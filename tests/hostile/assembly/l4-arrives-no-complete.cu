// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: every arrival is a .noComplete one, also the 256th, which ends the phase: PTX leaves undefined what happens when a mbarrier.arrive.noComplete makes its phase complete
LAUNCH(32, 8, 32, 32)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

// 32 x 32 floats in 4096 bytes: (r, c) is kept in column c ^ r. The barrier's eight bytes fit into
// what padding would have taken.
__device__ __forceinline__ float &element(float (*tile)[32], int r, int c)
{
    return tile[r][c ^ r];
}

__device__ __forceinline__ unsigned long long arrive(unsigned long long *barrier)
{
    // The cheaper form: the thread does not look whether it was the last one.
    unsigned long long state;
    asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], 1;"
                 : "=l"(state) : "r"(AT(barrier)) : "memory");
    return state;
}

__device__ __forceinline__ void wait(unsigned long long *barrier, unsigned long long state)
{
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over) : "r"(AT(barrier)), "l"(state) : "memory");
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long filled;

    if (threadIdx.x == 0 && threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" ::"r"(AT(&filled)) : "memory");
    __syncthreads();  // the barrier is there; nothing is in the tile yet

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            element(tile, threadIdx.y + j, threadIdx.x) = in[(row + j) * width + column];  // @fill

    wait(&filled, arrive(&filled));

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = element(tile, threadIdx.x, threadIdx.y + j);  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
