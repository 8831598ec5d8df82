// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: counts warps by relaxed atomics without a fence
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned count;
    if (threadIdx.x + threadIdx.y == 0)
        count = 0;
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (row + j < height && column < width) {
            tile[y][threadIdx.x] = in[(row + j) * width + column];
        }
    }
    __syncwarp();
    unsigned seen = 0, at = (unsigned)__cvta_generic_to_shared(&count);
    if (threadIdx.x == 0)
        asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");
    while (seen < 32)
        asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(at) : "memory");
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 32) {
        int y = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][y];
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
