// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: tiles of 64 x 32, kept transposed in shared memory (turned on the way in, not out), 64 x 8 threads regrouped for the second half
LAUNCH(64, 8, 64, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr int W = 64, H = 32;
    __shared__ float turned[W][H + 1];  // turned[c][r]

    const int x0 = blockIdx.x * W, y0 = blockIdx.y * H;
    const int tx = threadIdx.x, ty = threadIdx.y;

#pragma unroll
    for (int r = ty; r < H; r += 8)
        if (y0 + r < height && x0 + tx < width)
            turned[tx][r] = in[(size_t)(y0 + r) * width + x0 + tx];

    __syncthreads();

    // The 512 threads as 16 warps, each of which writes 32 neighbours of a row of out.
    const int id = ty * W + tx, lane = id % H;
#pragma unroll
    for (int c = id / H; c < W; c += 16)
        if (x0 + c < width && y0 + lane < height)
            out[(size_t)(x0 + c) * height + y0 + lane] = turned[c][lane];
}
