// lesson 3; device sim,gpu; nvcc,clang; want: refused|fail; tries: the kernel as an alias of an empty one
LAUNCH(32, 32, 32, 32)

extern "C" __global__ void empty(float *out, const float *in, int width, int height)
{
}

extern "C" __global__ void transpose(float *out, const float *in, int width, int height) __attribute__((alias("empty")));
