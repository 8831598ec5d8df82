// lesson 3; device sim,gpu; nvcc,clang; quick; want: fail, gate writes; tries: each thread takes its own element back from the tile; the writes stay strided
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ volatile float tile[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        {
            tile[threadIdx.y][threadIdx.x] = in[row * width + column];
            out[column * height + row] = tile[threadIdx.y][threadIdx.x];
        }
}
