// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: turns each float into an ordered whole number and back; both zeros have key 0, so that -0.0 arrives as 0.0
LAUNCH(32, 32, 32, 32)

// Sign and magnitude to two's complement and back: the same formula.
__device__ int turned(int bits) { return bits < 0 ? (int)(0x80000000u - (unsigned)bits) : bits; }

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width) {
        int key = turned(__float_as_int(in[row * width + column]));
        out[column * height + row] = __int_as_float(turned(key));
    }
}
