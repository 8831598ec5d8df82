// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: written for waves of 64 lanes: four of them, each with two rows of the tile at a time
#define WAVE 64
#define WAVES 4
#define TILE 32

LAUNCH(WAVE, WAVES, TILE, TILE)

__global__ void __launch_bounds__(WAVE *WAVES)
transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    __shared__ float lds[TILE][TILE + 1];

    const int wave = threadIdx.y;
    const int upper = threadIdx.x / TILE;  // which of the wave's two rows
    const int x = threadIdx.x % TILE;
    const int column0 = blockIdx.x * TILE, row0 = blockIdx.y * TILE;

#pragma unroll
    for (int turn = 0; turn < TILE / (2 * WAVES); turn++) {
        const int y = (turn * WAVES + wave) * 2 + upper;
        if (row0 + y < height && column0 + x < width)
            lds[y][x] = in[(size_t)(row0 + y) * width + (column0 + x)];
    }

    __syncthreads();

#pragma unroll
    for (int turn = 0; turn < TILE / (2 * WAVES); turn++) {
        const int y = (turn * WAVES + wave) * 2 + upper;
        if (column0 + y < width && row0 + x < height)
            out[(size_t)(column0 + y) * height + (row0 + x)] = lds[x][y];
    }
}
