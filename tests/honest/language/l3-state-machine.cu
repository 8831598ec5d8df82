// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: a state machine with goto walks a strip of two tiles: fill, meet, drain, meet again
LAUNCH(32, 8, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33];

    // The state is the label. Nothing that differs between threads decides where to go.
    const int x = threadIdx.x, y = threadIdx.y;
    const int column0 = blockIdx.x * 32;
    const int last = min(height, (int)(blockIdx.y * 64 + 64));
    int row0 = blockIdx.y * 64;
    int j, r, c;

fill:
    j = 0;
fill_more:
    r = row0 + y + j;
    if (r < height && column0 + x < width)
        tile[(y + j) * 33 + x] = in[r * width + column0 + x];
    j += 8;
    if (j < 32)
        goto fill_more;

    __syncthreads();  // meet: the tile is full

    j = 0;
drain_more:
    c = column0 + y + j;
    if (c < width && row0 + x < height)
        out[c * height + row0 + x] = tile[x * 33 + y + j];
    j += 8;
    if (j < 32)
        goto drain_more;

    row0 += 32;
    if (row0 >= last)
        return;

    __syncthreads();  // meet again: the tile is empty
    goto fill;
}
