// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: for odd heights the last pair of an even column stores 0 over the first element of the next column's row of out, which another block (or another part of the warp) writes without any order
LAUNCH(16, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Two rows for each thread, so that it stores eight bytes where they are aligned. The lower
    // tiles come first.
    int row = (gridDim.y - 1 - blockIdx.y) * 32 + threadIdx.x * 2;
    int column = blockIdx.x * 32 + threadIdx.y;
    if (row >= height || column >= width)
        return;

    float first = in[row * width + column];
    float second = row + 1 < height ? in[(row + 1) * width + column] : 0.0f;
    int at = column * height + row;
    if (at % 2 == 0 && at + 1 < width * height)
        *(float2 *)&out[at] = make_float2(first, second);
    else {
        out[at] = first;
        if (row + 1 < height)
            out[at + 1] = second;
    }
}
