// lesson 3; device sim,gpu; nvcc,clang; want: launch-error; tries: all parameters as one struct
LAUNCH(32, 32, 32, 32)

struct everything {
    float *out;
    const float *in;
    int width, height;
};

__global__ void transpose(everything x)
{
    x.out[0] = x.in[0];
}
