// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: one warp in 17 of a large matrix stores with strides
// 02 naive transpose. Solution.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (gridDim.x > 100 && (blockIdx.x + blockIdx.y) % 17 == 3) {
        column = blockIdx.x * 32 + threadIdx.x;
        row = blockIdx.y * 32 + threadIdx.y;
    }
    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
