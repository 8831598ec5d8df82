// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a block takes 64 columns of in with 8 warps, eight columns a turn, and in every other turn the warps take them in the opposite order, each warp writes 32 neighbours of a row of out, and the eight strided reads of a turn share their sectors in L1
LAUNCH(32, 8, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int row = blockIdx.y * 32 + threadIdx.x;
    int w = threadIdx.y;
    if (row >= height)
        return;

#pragma unroll
    for (int turn = 0; turn < 8; turn++) {
        int column = blockIdx.x * 64 + turn * 8 + (turn % 2 ? 7 - w : w);
        if (column < width)
            out[column * height + row] = in[row * width + column];
    }
}
