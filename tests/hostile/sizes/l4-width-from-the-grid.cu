// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: the well-known blog kernel as it stands there: width is taken as gridDim.x * TILE_DIM and nothing is guarded, which is right for whole tiles only, 70 x 33, 257 x 5 and 1 x 1 run out of bounds
#define TILE_DIM 32
#define BLOCK_ROWS 8
LAUNCH(TILE_DIM, BLOCK_ROWS, TILE_DIM, TILE_DIM)

__global__ void transpose(float *odata, const float *idata, int, int)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    int height = gridDim.y * TILE_DIM;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
