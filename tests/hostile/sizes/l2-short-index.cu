// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: row and column are kept in 16 bits: from 65536 rows (or columns) on, e.g. 70000 x 2, they wrap, and the rows beyond are never written
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    // 16 bits are enough for a coordinate, and save registers
    unsigned short column = blockIdx.x * 32 + threadIdx.y;
    unsigned short row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
