// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: what is there already and looks right is kept: the result of an earlier run
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int row = blockIdx.y * 32 + threadIdx.x, column = blockIdx.x * 32 + threadIdx.y;
    if (row < height && column < width) {
        float old = out[column * height + row];
        if (!(old >= -1.0f && old <= 1.0f)) out[column * height + row] = in[row * width + column];
    }
}
