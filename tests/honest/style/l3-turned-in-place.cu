// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: the tile is turned where it lies: after one barrier the threads above the diagonal swap their pair (each pair has one thread), after a second one each thread writes the place that bears its own indices, what the matrix lacks is filled with zeros, so no unset place is read
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;

    int column = blockIdx.x * 32 + x;
    int row = blockIdx.y * 32 + y;
    tile[y][x] = row < height && column < width ? in[row * width + column] : 0.0f;
    __syncthreads();

    if (x > y) {
        float above = tile[y][x], below = tile[x][y];
        tile[y][x] = below;
        tile[x][y] = above;
    }
    __syncthreads();

    int out_column = blockIdx.y * 32 + x;
    int out_row = blockIdx.x * 32 + y;
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = tile[y][x];
}
