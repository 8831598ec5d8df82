// mine
// 02 naive transpose: out is in with rows and columns exchanged.
//
// Contract: in has `height` rows of `width` floats, one row after the other. out has
// `width` rows of `height` floats. out[c][r] = in[r][c] for every row r and column c of in;
// nothing outside the two matrices is touched.
LAUNCH(32, 32, 32, 32)  // 32 x 32 threads; a block covers 32 columns and 32 rows of in

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // The thread's element of in. Lanes of a warp differ in threadIdx.x and share
    // threadIdx.y.
    // TODO: correct, but the 32 lanes write 32 rows of out. Choose which element a thread
    //       takes so that they write neighbours. The block must still cover the same 32 x
    //       32 elements of in.
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;

    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
