// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the only barrier stands inside the loop over a warp's own rows, whose number of turns differs from warp to warp where the tile is cut (33 or 5 rows): warps with no row meet no barrier and read rows that others may not have stored yet, a race, and the warps meet unequal numbers of barriers
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    int rows = min(32, height - row0), columns = min(32, width - column0);

    for (int r = threadIdx.y; r < rows; r += 8) {
        if (threadIdx.x < columns)
            tile[r][threadIdx.x] = in[(row0 + r) * width + column0 + threadIdx.x];
        __syncthreads();
    }

    for (int c = threadIdx.y; c < columns; c += 8)
        if (threadIdx.x < rows)
            out[(column0 + c) * height + row0 + threadIdx.x] = tile[threadIdx.x][c];
}
