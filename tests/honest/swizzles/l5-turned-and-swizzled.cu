// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: element (r, c) is kept at tile[c][r ^ c]: turned on the way in and swizzled by its column, so that the way out reads a row; r ^ c is one to one in r and in c, 32 banks each way, 4096 bytes
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, const int width, const int height)
{
    __shared__ float tile[32][32];
    auto home = [](unsigned r, unsigned c) -> float & { return tile[c][r ^ c]; };

    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x << 5, y0 = blockIdx.y << 5;

    float held[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        const int row = y0 + warp + 8 * q, column = x0 + lane;
        held[q] = row < height && column < width ? in[row * width + column] : 0.f;
    }
#pragma unroll
    for (int q = 0; q < 4; ++q)
        home(warp + 8 * q, lane) = held[q];

    __syncthreads();

#pragma unroll
    for (int q = 0; q < 4; ++q) {
        const unsigned c = warp + 8 * q;
        const int row = x0 + c, column = y0 + lane;  // of out
        if (row < width && column < height)
            out[row * height + column] = home(lane, c);
    }
}
