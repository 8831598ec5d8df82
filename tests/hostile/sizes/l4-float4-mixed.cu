// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: width a multiple of 32, height >= 32 and height % 4 != 0 (e.g. 64 x 33, 96 x 70): the fast path stores float4 at misaligned addresses of out
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    if (width % 32 == 0 && y0 + 32 <= height) {  // a whole tile, rows aligned: 16 bytes a thread
        int id = threadIdx.y * 32 + threadIdx.x, r = id / 8, q = id % 8 * 4;
        float4 four = *(const float4 *)&in[(y0 + r) * width + x0 + q];
        tile[r][q] = four.x;
        tile[r][q + 1] = four.y;
        tile[r][q + 2] = four.z;
        tile[r][q + 3] = four.w;
        __syncthreads();
        *(float4 *)&out[(x0 + r) * height + y0 + q] =
            make_float4(tile[q][r], tile[q + 1][r], tile[q + 2][r], tile[q + 3][r]);
        return;
    }

    int column = x0 + threadIdx.x, row = y0 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];

    __syncthreads();

    int out_column = y0 + threadIdx.x, out_row = x0 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
