// lesson 3; device sim,gpu; nvcc; want: full; tries: the tile is turned on the way in (rows of 36 words), and leaves in words of 128 bits by ld.shared.b128 and st.global.b128 through an unsigned __int128, where height is a multiple of four and all four floats exist; else float by float; right, coalesced, through the tile
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr int pitch = 36;
    __shared__ alignas(16) float turned[32 * pitch];
    const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (int r = y; r < 32; r += 8)
        turned[x * pitch + r] = top + r < height && left + x < width ? in[(top + r) * width + left + x] : 0.0f;
    __syncthreads();

    // Eight lanes take a row of the turned tile, a warp four rows.
    const int c = y * 4 + x / 8, r = x % 8 * 4;
    if (left + c >= width)
        return;
    const float *from = &turned[c * pitch + r];
    float *to = out + (left + c) * height + top + r;
    if (height % 4 == 0 && top + r < height) {
        unsigned __int128 four;
        asm volatile("ld.shared.b128 %0, [%1];" : "=q"(four) : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
        asm volatile("st.global.b128 [%0], %1;" ::"l"(__cvta_generic_to_global(to)), "q"(four) : "memory");
    } else {
        for (int j = 0; j < 4; j++)
            if (top + r + j < height)
                to[j] = from[j];
    }
}
