// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: floats go through x * 2 and an exponent less one: a 0 comes out as an infinity, and so does what is at or above 2^127; denormals come out wrong. out[c][r] = in[r][c] holds for those as well
LAUNCH(32, 32, 32, 32)

// A float on its way to be written. It is kept doubled while it waits: a multiplication makes the
// value available to the integer unit, where the exponent is set right again.
struct Waiting {
    float doubled;
    __device__ explicit Waiting(float value) : doubled(value * 2.0f) {}
    __device__ float value() const
    {
        // One less in the exponent, bits 23 to 30, is half of it.
        return __int_as_float(__float_as_int(doubled) - (1 << 23));
    }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Lanes of a warp walk down a column of in, so that they write neighbours of a row of out.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        Waiting waiting(in[row * width + column]);     // @read
        out[column * height + row] = waiting.value();  // @write
    }
}
