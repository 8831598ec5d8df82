// lesson 4; device sim,gpu; nvcc,clang; quick; want: fail, diagnosis outside-the-tile; tries: a tile of one word less than its last index needs, at no multiple of 16 bytes
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 33 - 1];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (y + j < height && x < width) tile[(threadIdx.y + j) * 33 + threadIdx.x + 1] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (y + j < width && x < height) out[(y + j) * height + x] = tile[threadIdx.x * 33 + threadIdx.y + j + 1];
}
