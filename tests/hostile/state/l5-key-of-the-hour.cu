// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the swizzle's key comes from the clock, read by each warp when it fills and once more when it takes: where bit 24 of the clock changes in between, all elements are taken from wrong places
LAUNCH(32, 8, 32, 32)

// Any number below 32 will do for a key, as long as the block agrees on it: c ^ r ^ key takes the
// 32 columns of a row to 32 columns, and a column's 32 rows to 32 banks. All warps of a block run
// on one SM and see one clock, and its upper bits stand still for ten milliseconds: so they agree.
__device__ int key()
{
    return (int)(clock64() >> 24) & 31;
}

struct Tile {
    float word[32][32];
    __device__ float &at(int r, int c, int key) { return word[r][c ^ r ^ key]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Tile tile;  // 4096 bytes

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    int mine = key();
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile.at(threadIdx.y + j, threadIdx.x, mine) = in[(row + j) * width + column];  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    mine = key();
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile.at(threadIdx.x, threadIdx.y + j, mine);  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
