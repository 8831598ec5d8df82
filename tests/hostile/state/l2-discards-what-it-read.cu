// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: lines of in that others have still to read are thrown away by discard.global.L2
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
        size_t line = (size_t)__cvta_generic_to_global(&in[row * width + column]) & ~(size_t)127;
        if (width % 32 == 0)
            asm volatile("discard.global.L2 [%0], 128;" :: "l"(line) : "memory");
    }
}
