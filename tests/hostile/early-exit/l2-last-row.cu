// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate correct, diagnosis wrong-results|unwritten; tries: the last row is dropped where height is odd and large
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + threadIdx.y;
    if (r < (height & ~1) + (height == 1) + (height == 5) && c < width)
        out[c * height + r] = in[r * width + c];
}
