// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: behind the barrier each thread takes its four floats into an array of its own by a function that it calls by pointer, returned in a struct by value, and only then stores them; each float comes through the tile, put there by another thread; right and coalesced
LAUNCH(32, 8, 32, 32)

struct Four {
    float at[4];
};

typedef float Row[32];

__device__ __noinline__ Four down_a_column(const Row *tile, int lane, int first)
{
    Four four;
    for (int j = 0; j < 4; j++)
        four.at[j] = tile[lane][first + 8 * j];
    return four;
}

__device__ Four (*const take)(const Row *, int, int) = down_a_column;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Row tile[32];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;

    for (int r = y; r < 32; r += 8)
        if (top + r < height && left + x < width)
            tile[r][x] = in[(top + r) * width + left + x];
        else
            tile[r][x] = 0;
    __syncthreads();

    const Four mine = take(tile, x, y);
    for (int j = 0; j < 4; j++) {
        int c = left + y + 8 * j;
        if (c < width && top + x < height)
            out[c * height + top + x] = mine.at[j];
    }
}
