// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile|reads|writes; tries: exchange by a __device__ array, with a tile for show
LAUNCH(32, 8, 32, 32)

__device__ float exchange[1 << 22];

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[ty + j][tx] = 0.0f, exchange[((blockIdx.y * gridDim.x + blockIdx.x) % 4096) * 1024 + (ty + j) * 32 + tx] = in[(row + j) * width + column];
    __threadfence_block();
    __syncthreads();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = exchange[((blockIdx.y * gridDim.x + blockIdx.x) % 4096) * 1024 + tx * 32 + ty + j] + tile[ty + j][tx] * 0.0f;
}
