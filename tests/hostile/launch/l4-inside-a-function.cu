// lesson 4; device sim,gpu; nvcc,clang; want: launch-error|compile-error; tries: the LAUNCH line inside the kernel
__global__ void transpose(float *out, const float *in, int width, int height)
{
    LAUNCH(32, 8, 32, 32)
    out[0] = in[0] + width + height;
}
