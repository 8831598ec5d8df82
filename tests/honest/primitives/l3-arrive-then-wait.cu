// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: cuda::barrier instead of __syncthreads(): threads arrive, work out where they go, and only then wait
#include <cuda/barrier>

LAUNCH(32, 16, 32, 32)

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

__global__ void transpose(float *out, const float *in, int width, int height)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier filled;
    __shared__ float tile[32][32];

    const int x = threadIdx.x, y = threadIdx.y;
    if (x == 0 && y == 0)
        init(&filled, blockDim.x * blockDim.y);
    __syncthreads();  // the barrier exists

#pragma unroll
    for (int j = 0; j < 32; j += 16) {
        const int r = blockIdx.y * 32 + y + j, c = blockIdx.x * 32 + x;
        if (r < height && c < width)
            tile[y + j][x] = in[(size_t)r * width + c];
    }

    // Everybody arrives, those who had nothing to bring as well.
    auto token = filled.arrive();

    // Meanwhile: the place in out. Block (x, y) of in is block (y, x) of out.
    const int c = blockIdx.y * 32 + x, r = blockIdx.x * 32 + y;
    float *to = out + (size_t)r * height + c;
    const bool first = r < width && c < height, second = r + 16 < width && c < height;

    filled.wait(static_cast<barrier::arrival_token &&>(token));

    if (first)
        to[0] = tile[x][y];
    if (second)
        to[(size_t)16 * height] = tile[x][y + 16];
}
