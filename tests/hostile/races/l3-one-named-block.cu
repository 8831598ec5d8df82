// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: the barrier is missing in one block of 65536
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (r + j < height && c < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * width + c];
    if (blockIdx.x != 200 || blockIdx.y != 177)
        __syncthreads();
    int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (orow + j < width && oc < height)
            out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
