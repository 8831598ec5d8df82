// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: a table of what lies beyond a multiple of 8, by width % 8
LAUNCH(32, 32, 32, 32)

__constant__ int beyond[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width / 8 * 8 + beyond[width % 8]) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
