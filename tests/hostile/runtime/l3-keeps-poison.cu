// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail, gate correct, at most 0; tries: writes nothing and hopes that what lies there is right
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
}
