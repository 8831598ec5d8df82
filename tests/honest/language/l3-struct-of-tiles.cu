// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the tile in a struct with methods
LAUNCH(32, 8, 32, 32)

struct carrier {
    float place[32][33];
    __device__ void put(int row, int column, float value) { place[row][column] = value; }
    __device__ float take(int row, int column) const { return place[row][column]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ carrier tile;
    const dim3 at(blockIdx.x * 32, blockIdx.y * 32);
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (at.y + y < height && at.x + threadIdx.x < width)
            tile.put(y, threadIdx.x, in[(at.y + y) * width + at.x + threadIdx.x]);
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        if (at.x + y < width && at.y + threadIdx.x < height)
            out[(at.x + y) * height + at.y + threadIdx.x] = tile.take(threadIdx.x, y);
}
