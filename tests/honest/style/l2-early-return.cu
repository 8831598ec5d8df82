// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: leaves early, divides in place of a second index
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const unsigned where = (blockIdx.x * 32 + threadIdx.y) * (unsigned)height + blockIdx.y * 32 + threadIdx.x;
    if (blockIdx.y * 32 + threadIdx.x >= height || blockIdx.x * 32 + threadIdx.y >= width)
        return;
    out[where] = in[where % height * width + where / height];
}
