// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: lanes run backwards along out (x ^ 31), pointers bumped as 64-bit bytes, early return, assembler's taste
LAUNCH(32, 32, 32, 32)

typedef unsigned long long address;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Lane 0 takes the last row of the tile, lane 31 the first. The set of sectors is the same.
    const unsigned r = (blockIdx.y << 5) | (threadIdx.x ^ 31u);
    const unsigned c = (blockIdx.x << 5) | (threadIdx.y ^ 31u);
    if (!(r < (unsigned)height) | !(c < (unsigned)width))
        return;

    address from = (address)in + (((address)r * (unsigned)width + c) << 2);
    address to = (address)out + (((address)c * (unsigned)height + r) << 2);

    unsigned bits = *(const unsigned *)from;  // bits, not numbers: a transpose adds nothing
    *(unsigned *)to = bits;
}
