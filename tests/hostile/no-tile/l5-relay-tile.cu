// lesson 5; device sim; nvcc,clang; want: pass|fail, at most 95; tries: each thread turns 2 x 2 elements in registers, the tile is only a straight relay to another warp: no column is ever read, so nothing is swizzled and no conflict is avoided
// 05 swizzling.
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float2 tile[2][256];  // 4096 bytes

    // 256 threads own 16 x 16 squares of 2 x 2. A warp has 4 squares down and 8 across.
    int id = threadIdx.y * 32 + threadIdx.x;
    int down = id / 64 * 4 + id % 4, across = id / 32 % 2 * 8 + id / 4 % 8;
    int row = blockIdx.y * 32 + down * 2, column = blockIdx.x * 32 + across * 2;

    float v[2][2] = {};
#pragma unroll
    for (int r = 0; r < 2; r++) {
        if (width % 2 == 0 && row + r < height && column < width) {
            float2 two = *(const float2 *)&in[(row + r) * width + column];  // @fill
            v[r][0] = two.x;
            v[r][1] = two.y;
        }
        if (width % 2 != 0)
#pragma unroll
            for (int c = 0; c < 2; c++)
                if (row + r < height && column + c < width)
                    v[r][c] = in[(row + r) * width + column + c];
    }
    tile[0][id] = make_float2(v[0][0], v[1][0]);
    tile[1][id] = make_float2(v[0][1], v[1][1]);
    __syncthreads();

    // The next warp's squares.
    id = (id + 32) % 256;
    down = id / 64 * 4 + id % 4, across = id / 32 % 2 * 8 + id / 4 % 8;
    row = blockIdx.y * 32 + down * 2, column = blockIdx.x * 32 + across * 2;
#pragma unroll
    for (int c = 0; c < 2; c++) {
        float2 two = tile[c][id];  // @take
        float *to = &out[(column + c) * height + row];
        if (column + c < width && row + 1 < height && height % 2 == 0)
            *(float2 *)to = two;
        else if (column + c < width) {
            if (row < height)
                to[0] = two.x;
            if (row + 1 < height)
                to[1] = two.y;
        }
    }
}
