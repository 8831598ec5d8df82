// lesson 4; device sim,gpu; nvcc,clang; want: pass; tries: a barrier that counts all threads; pointers that run along rows
LAUNCH(32, 4, 32, 32)

// The four warps share one tile in turn: rows by warp, a counted barrier.
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[33 * 32];
    float *mine = tile + threadIdx.y * 33;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (const float *from = in + (size_t)row * width + column; row < height && mine < tile + 33 * 32;
         row += 4, from += 4 * (size_t)width, mine += 4 * 33)
        if (column < width)
            mine[threadIdx.x] = *from;
    if (__syncthreads_count(1) != 128)
        return;
    int out_column = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32 && blockIdx.x * 32 + j < width; j += 4)
        if (out_column < height)
            out[(size_t)(blockIdx.x * 32 + j) * height + out_column] = tile[threadIdx.x * 33 + j];
}
