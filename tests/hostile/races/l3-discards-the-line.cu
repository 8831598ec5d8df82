// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: before a warp writes its row of out it discards the 128-byte lines that the row touches. Where height is no multiple of 32 such a line also holds floats of the row before or behind, which other warps and blocks may have stored already: discard.L2 is a weak write of indeterminate values (PTX ISA), so they are lost (33 x 70, 5 x 257, any height % 32 != 0), and what lies past out in its last line is lost as well. A race with the other stores to the line in any order.
// 03 tiled transpose: lines that are about to be overwritten need not be fetched first.
LAUNCH(32, 8, 32, 32)

__device__ void fresh_line(float *at)
{
    unsigned long long line = (unsigned long long)__cvta_generic_to_global(at) & ~127ull;
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (threadIdx.x == 0)
        for (int j = 0; j < 32; j += 8)
            if (out_row + j < width && out_column < height) {
                float *from = out + (out_row + j) * height + out_column;
                float *last = from + min(31, height - 1 - out_column);
                fresh_line(from);
                if (((unsigned long long)from ^ (unsigned long long)last) & ~127ull)
                    fresh_line(last);
            }

    __syncthreads();

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
