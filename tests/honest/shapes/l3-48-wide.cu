// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: tiles of 48 x 48
LAUNCH(48, 8, 48, 48)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[48][49];
    int x0 = blockIdx.x * 48, y0 = blockIdx.y * 48, tx = threadIdx.x;
    for (int y = threadIdx.y; y < 48; y += 8)
        if (x0 + tx < width && y0 + y < height) tile[y][tx] = in[(y0 + y) * width + x0 + tx];
    __syncthreads();
    for (int y = threadIdx.y; y < 48; y += 8)
        if (x0 + y < width && y0 + tx < height) out[(x0 + y) * height + y0 + tx] = tile[tx][y];
}
