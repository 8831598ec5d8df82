// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 8 x 128 threads of which each run of 32 is a warp; a warp's lanes have neighbouring rows of in and so neighbours of out; guards by goto and exponents of two by shifts
LAUNCH(8, 128, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const unsigned flat = threadIdx.x | threadIdx.y << 3;
    const int row = (blockIdx.y << 5) | (flat & 31), column = (blockIdx.x << 5) | (flat >> 5);
    if (row >= height)
        goto nothing;
    if (column < width)
        goto move;
    goto nothing;
move:
    out[row + height * column] = in[column + width * row];
nothing:
    return;
}
