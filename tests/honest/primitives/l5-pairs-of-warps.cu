// lesson 5; device sim; nvcc,clang; want: full; tries: two warps share a strip of 8 columns and a named barrier of 64 threads, with a xor of its own, 4096 bytes
LAUNCH(32, 8, 32, 32)

// A strip is 32 rows of 8 floats: word 8 r + (c ^ r / 4). A warp fills four whole rows at once: 32 words
// in a row. It takes a column: r % 4 chooses the group of eight banks, r / 4 turns c into each of the eight.
struct Strip {
    float word[256];
    __device__ float &operator()(int r, int c) { return word[r * 8 + (c ^ r >> 2)]; }
};

__global__ void __launch_bounds__(256) transpose(float *out, const float *in, int width, int height)
{
    __shared__ Strip strips[4];

    const int lane = threadIdx.x, pair = threadIdx.y >> 1, half = threadIdx.y & 1;
    Strip &strip = strips[pair];
    const int left = blockIdx.x * 32 + pair * 8, top = blockIdx.y * 32;

    // 16 rows for each warp, four in one turn: 32 bytes of each, one sector.
    const int c = lane & 7;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = half * 16 + j * 4 + (lane >> 3);
        if (top + r < height && left + c < width)
            strip(r, c) = in[(top + r) * width + left + c];
    }

    // The pair alone: nobody else has anything in this strip. Barrier 0 is left to __syncthreads.
    asm volatile("bar.sync %0, 64;" :: "r"(pair + 1) : "memory");

#pragma unroll
    for (int j = 0; j < 4; j++) {
        int column = half * 4 + j;
        if (left + column < width && top + lane < height)
            out[(left + column) * height + top + lane] = strip(lane, column);
    }
}
