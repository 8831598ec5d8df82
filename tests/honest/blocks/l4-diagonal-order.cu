// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: blocks in diagonal order, as in NVIDIA's paper on the transpose
constexpr int TILE_DIM = 32, BLOCK_ROWS = 8;
LAUNCH(TILE_DIM, BLOCK_ROWS, TILE_DIM, TILE_DIM)
__global__ void transpose(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int blockIdx_x, blockIdx_y;
    if (width == height) {
        blockIdx_y = blockIdx.x;
        blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    } else {
        int bid = blockIdx.x + gridDim.x * blockIdx.y;
        blockIdx_y = bid % gridDim.y;
        blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x;
    }
    int xIndex = blockIdx_x * TILE_DIM + threadIdx.x, yIndex = blockIdx_y * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (xIndex < width && yIndex + i < height)
            tile[threadIdx.y + i][threadIdx.x] = idata[xIndex + (yIndex + i) * width];
    __syncthreads();
    xIndex = blockIdx_y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx_x * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (xIndex < height && yIndex + i < width)
            odata[xIndex + (yIndex + i) * height] = tile[threadIdx.x][threadIdx.y + i];
}
