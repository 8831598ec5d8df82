// lesson 3; device sim,gpu; nvcc,clang; want: not-started; tries: the starter under another first comment
// 03 tiled transpose: through a tile in shared memory.
//
// Contract: out[c][r] = in[r][c]. in has `height` rows of `width` floats, out has `width`
// rows of `height` floats. Each block carries one 32 x 32 tile across; at the right and
// lower edge only part of a tile exists.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    // Going in: this is done. Each warp reads one row of the tile.
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    // TODO: between the two halves a thread may need what another thread has put into the
    //       tile. What makes it wait?
    //
    // TODO: going out, a thread need not write the element that it brought. Choose which
    //       element of the tile it takes and where in out that belongs, so that a warp
    //       writes one row of out. Where does the whole tile go? Which elements of out
    //       exist?
    if (row < height && column < width)
        out[column * height + row] = tile[threadIdx.y][threadIdx.x];  // @write
}
