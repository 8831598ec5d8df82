// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: 64 x 4 threads carry 64 columns and 32 rows; rows go in counted downwards by while, then a switch on half of the 64 threads says which columns a warp takes out; every word read was written before the one barrier, both sides coalesced
LAUNCH(64, 4, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][65];
    const int tx = threadIdx.x, ty = threadIdx.y;

    int j = 32;
    while ((j -= 4) >= 0) {
        const int row = blockIdx.y * 32 + j + ty, column = blockIdx.x * 64 + tx;
        if (row < height && column < width)
            tile[j + ty][tx] = in[(size_t)row * width + column];
    }
    __syncthreads();

    const int lane = tx & 31;
    int first;  // my warp's first column of 32
    switch (tx >> 5) {
    case 0: first = 0; break;
    default: first = 32; break;
    }
    const int out_column = blockIdx.y * 32 + lane;
    if (out_column >= height)
        return;  // after the barrier, so nobody waits for me
    j = 32;
    while ((j -= 4) >= 0) {
        const int c = first + j + ty, out_row = blockIdx.x * 64 + c;
        if (out_row < width)
            out[(size_t)out_row * height + out_column] = tile[lane][c];
    }
}
