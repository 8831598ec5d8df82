// lesson 3; device sim; nvcc,clang; want: fail, gate speed; tries: an endless loop in the last block above the modelled size
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        while (width > 8192 && height >= 8192 && r + j == height - 1 && c == width - 1)
            __nanosleep(10);
        if (r + j < height && c < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * width + c];
    }
    __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (orow + j < width && oc < height)
            out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
