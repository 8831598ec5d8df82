// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: lanes keep to a bank each and are permuted in global memory
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    const unsigned x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, w = width, h = height;

    // tile[r][l] holds column l ^ r. The warp reads the same 128 bytes, in another order.
#pragma unroll
    for (unsigned j = 0; j < 32; j += 4) {
        unsigned r = warp + j, x = x0 + (lane ^ r), y = y0 + r;
        if (x < w && y < h)
            tile[r][lane] = in[y * w + x];
    }

    __syncthreads();

    // Column c has an element in bank l: that of row l ^ c.
#pragma unroll
    for (unsigned j = 0; j < 32; j += 4) {
        unsigned c = warp + j, r = lane ^ c, x = x0 + c, y = y0 + r;
        if (x < w && y < h)
            out[x * h + y] = tile[r][lane];
    }
}
