// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the tile is filled again for the block's second half, and where that half is not a whole tile (height % 64 from 33 to 63) no barrier keeps warps that still read the first from being overwritten
LAUNCH(32, 8, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int half = 0; half < 2; half++) {
        int row0 = blockIdx.y * 64 + half * 32;
        if (row0 >= height)
            break;
        if (half == 1 && row0 + 32 <= height)
            __syncthreads();  // a second tile: all have read the first

        for (int j = 0; j < 32; j += 8) {
            int row = row0 + threadIdx.y + j;
            if (row < height && column < width)
                tile[threadIdx.y + j][threadIdx.x] = in[row * width + column];
        }
        __syncthreads();

        int out_column = row0 + threadIdx.x;
        for (int j = 0; j < 32; j += 8)
            if (out_row + j < width && out_column < height)
                out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
}
