// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: wrong where the grid is 2, 7, 12 … blocks wide, as at no size
// 02 naive transpose. Solution.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (gridDim.x % 5 == 2)
        width--;
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
