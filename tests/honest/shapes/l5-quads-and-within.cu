// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: the tile is filled by 16-byte stores: chunks trade places by three bits of the row, the floats in a chunk by the other two
LAUNCH(128, 1, 32, 32)

// Element (r, c) is in column c ^ key(r), where key takes all of 0 ... 31: its upper three
// bits are r % 8 and move the chunk of four, its lower two bits r / 8 and turn the chunk.
__device__ constexpr int key(int r) { return (r & 7) << 2 | r >> 3; }

__device__ __forceinline__ float4 turned(float4 v, int by)
{
    if (by & 1)
        v = make_float4(v.y, v.x, v.w, v.z);
    if (by & 2)
        v = make_float4(v.z, v.w, v.x, v.y);
    return v;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ union {
        float word[32][32];
        float4 chunk[32][8];
    } tile;

    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    if (width % 4 == 0) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int r = t / 8 + 16 * h, q = t % 8;
            if (y0 + r < height && x0 + 4 * q < width) {
                const float4 four = *(const float4 *)(in + (size_t)(y0 + r) * width + x0 + 4 * q);
                tile.chunk[r][q ^ (r & 7)] = turned(four, r >> 3);
            }
        }
    } else {
#pragma unroll
        for (int r = warp, j = 0; j < 8; r += 4, j++)
            if (y0 + r < height && x0 + lane < width)
                tile.word[r][lane ^ key(r)] = in[(size_t)(y0 + r) * width + x0 + lane];
    }

    __syncthreads();

    const int mine = key(lane);
#pragma unroll
    for (int c = warp, j = 0; j < 8; c += 4, j++)
        if (x0 + c < width && y0 + lane < height)
            out[(size_t)(x0 + c) * height + y0 + lane] = tile.word[lane][c ^ mine];
}
