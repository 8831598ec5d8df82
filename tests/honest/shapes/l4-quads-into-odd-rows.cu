// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: 16 bytes come from global memory at once and go into the padded rows as four single floats, each store without a conflict
LAUNCH(256, 1, 32, 32)

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    // A struct whose rows have a tail that nobody touches.
    struct Row {
        float cell[32], unused;
    };
    __shared__ Row tile[32];
    static_assert(sizeof tile == 4224, "33 words a row");

    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, t = threadIdx.x;

    if ((width & 3) == 0) {
        // Eight threads have a row, a warp four rows. Float j of quad q of row r goes to bank
        // r + 4 q + j: for four rows and eight quads those are all 32.
        const int r = t >> 3, c = (t & 7) << 2;
        if (y0 + r < height && x0 + c < width) {
            const float4 four = *reinterpret_cast<const float4 *>(&in[(size_t)(y0 + r) * width + x0 + c]);
            tile[r].cell[c] = four.x;
            tile[r].cell[c + 1] = four.y;
            tile[r].cell[c + 2] = four.z;
            tile[r].cell[c + 3] = four.w;
        }
    } else {
        const int c = t & 31;
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (const int r = (t >> 5) + 8 * j; y0 + r < height && x0 + c < width)
                tile[r].cell[c] = in[(size_t)(y0 + r) * width + x0 + c];
    }

    __syncthreads();

    const int r = t & 31;
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (const int c = (t >> 5) + 8 * j; x0 + c < width && y0 + r < height)
            out[(size_t)(x0 + c) * height + y0 + r] = tile[r].cell[c];
}
