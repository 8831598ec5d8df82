// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: two neighbours of out packed into a double by asm mov.b64 and stored as one
LAUNCH(16, 32, 32, 32)

__device__ double packed(float first, float second)
{
    double both;
    asm("mov.b64 %0, {%1, %2};" : "=d"(both) : "f"(first), "f"(second));
    return both;
}

// A lane has rows 2 x and 2 x + 1 of one column of in. They are neighbours in out: 8 bytes, where the
// rows of out begin at multiples of 8. 16 lanes fill 128 bytes of one row of out, the other 16 of the next.
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + 2 * threadIdx.x;
    if (column >= width || row >= height)
        return;

    const float *from = in + row * width + column;
    float *to = out + column * height + row;
    float first = from[0];
    if (height % 2 == 0)
        *(double *)to = packed(first, from[width]);
    else {
        to[0] = first;
        if (row + 1 < height)
            to[1] = from[width];
    }
}
