// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: i / height by one high product with a 32-bit reciprocal, which is 0 for height = 1 (and too coarse for large odd heights)
LAUNCH(32, 8, 32, 8)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x, i = block * 256 + threadIdx.y * 32 + threadIdx.x;
    unsigned reciprocal = 0xffffffffu / (unsigned)height + 1;   // ceil(2^32 / height)
    if (i < (unsigned)width * height) {
        unsigned row = __umulhi(i, reciprocal), column = i - row * height;   // of out
        if (row < (unsigned)width && column < (unsigned)height)
            out[i] = in[column * width + row];
    }
}
