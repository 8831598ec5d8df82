// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: lanes 0 and 16 arrive at an mbarrier for their warp after a __syncwarp of the even lanes and one of the odd lanes: nobody speaks for the odd ones
LAUNCH(32, 8, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long filled[1];
    unsigned bar = AT(filled);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = in[(row + j) * width + column];

    __syncwarp(0x55555555u << threadIdx.x % 2);
    if (threadIdx.x % 16 == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(bar) : "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];
}
