// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: two buffers of 16 x 33 floats (4224 bytes in all) are used in turn down 64 rows, with one barrier for each half tile, which is enough since a buffer is filled again only behind the barrier that all reach after reading it, a warp reads columns c and c + 16 of 16 rows, banks r + c and r + c + 16: no conflict
LAUNCH(32, 8, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[2][16][33];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * 32 + x, row0 = blockIdx.y * 64;

    // All eight floats of the thread are on their way before the first is needed.
    float v[4][2];
#pragma unroll
    for (int h = 0; h < 4; h++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int row = row0 + h * 16 + j * 8 + y;
            v[h][j] = row < height && column < width ? in[row * width + column] : 0.0f;
        }

#pragma unroll
    for (int h = 0; h < 4; h++) {
        tile[h % 2][y][x] = v[h][0];
        tile[h % 2][y + 8][x] = v[h][1];
        __syncthreads();

        int out_column = row0 + h * 16 + x % 16;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            int c = j * 8 + y + x / 16 * 16;
            int out_row = blockIdx.x * 32 + c;
            if (out_row < width && out_column < height)
                out[out_row * height + out_column] = tile[h % 2][x % 16][c];
        }
    }
}
