// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: the writes are as strided as the starter's, 32 sectors for a warp, only made by atomicExch, which is slower still
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;

    if (row < height && column < width) {
        float value = in[row * width + column];               // @read
        atomicExch(&out[column * height + row], value);       // @write
    }
}
