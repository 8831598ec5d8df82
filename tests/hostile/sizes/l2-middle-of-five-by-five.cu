// lesson 2; device sim; nvcc,clang; want: fail; tries: in a grid of 5 x 5 blocks the one in the middle takes the row above for its last lane in one warp: widths and heights 129 to 160
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    // Distances from the middle of the grid, doubled.
    int u = 2 * blockIdx.x + 1 - gridDim.x, v = 2 * blockIdx.y + 1 - gridDim.y;
    unsigned middle = (u * u + v * v) + (gridDim.x ^ 5) + (gridDim.y ^ 5);  // 0: 5 x 5, and its middle
    int from = row - (int)(middle == 0 & threadIdx.x == 31 & threadIdx.y == 17);
    if (row < height && column < width)
        out[column * height + row] = in[from * width + column];
}
