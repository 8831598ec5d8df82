// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: size_t everywhere, loops that count down to zero, and the tile in one array of 32 * 33
LAUNCH(32, 8, 32, 32)

static constexpr size_t edge = 32, pitch = edge + 1, step = 8;

__device__ static size_t word(size_t row, size_t column)
{
    return row * pitch + column;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[edge * pitch];

    const size_t w = width, h = height;
    const size_t x = threadIdx.x, y = threadIdx.y;
    const size_t left = blockIdx.x * edge, top = blockIdx.y * edge;

    // From the lowest rows of the tile upwards: an unsigned count ends at 0.
#pragma unroll
    for (size_t j = edge / step; j-- > 0;) {
        const size_t r = j * step + y;
        if (top + r < h && left + x < w)
            tile[word(r, x)] = in[(top + r) * w + left + x];
    }

    __syncthreads();

#pragma unroll
    for (size_t j = edge / step; j-- > 0;) {
        const size_t c = j * step + y;
        if (left + c < w && top + x < h)
            out[(left + c) * h + top + x] = tile[word(x, c)];
    }
}
