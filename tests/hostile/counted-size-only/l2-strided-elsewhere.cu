// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate speed|writes; tries: coalesced writes at the counted size, strided at every other
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width != 512) {
        int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
        if (r < height && c < width)
            out[c * height + r] = in[r * width + c];
        return;
    }
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
