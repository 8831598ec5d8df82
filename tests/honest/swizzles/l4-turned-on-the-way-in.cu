// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: the tile is filled transposed (stride 33) and read along its rows, whole tiles take a path without guards, pointers walk
LAUNCH(32, 8, 32, 32)

constexpr int SIDE = 32, PITCH = SIDE + 1, ROWS = 8, EACH = SIDE / ROWS;

// WHOLE: all of the tile exists, nothing to ask.
template <bool WHOLE>
__device__ __forceinline__ void carry(float *tile, float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * SIDE, row = blockIdx.y * SIDE;

    const float *from = in + (size_t)(row + ty) * width + column + tx;
    float held[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++)
        if (WHOLE || (row + ty + j * ROWS < height && column + tx < width))
            held[j] = from[(size_t)(j * ROWS) * width];
        else
            held[j] = 0.0f;

    // Lane l stores to word 33 l + r: 32 banks. Row c of the tile is column c of in.
    float *place = tile + tx * PITCH + ty;
#pragma unroll
    for (int j = 0; j < EACH; j++)
        place[j * ROWS] = held[j];

    __syncthreads();

    // Each warp takes a row of the tile, 32 neighbours.
    const float *take = tile + ty * PITCH + tx;
    float *to = out + (size_t)(column + ty) * height + row + tx;
#pragma unroll
    for (int j = 0; j < EACH; j++, take += ROWS * PITCH)
        if (WHOLE || (column + ty + j * ROWS < width && row + tx < height))
            to[(size_t)(j * ROWS) * height] = *take;
}

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[SIDE * PITCH];
    const bool whole = (int)(blockIdx.x + 1) * SIDE <= width && (int)(blockIdx.y + 1) * SIDE <= height;
    if (whole)  // the same for all threads of the block
        carry<true>(tile, out, in, width, height);
    else
        carry<false>(tile, out, in, width, height);
}
