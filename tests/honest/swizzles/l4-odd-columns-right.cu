// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: rows of 33 words in which the even columns lie left and the odd ones right (c / 2 + 16 for odd c), by one macro for both sides; a permutation of 32 columns inside a row that is padded by one, so bank (r + perm(c)) % 32: free of conflicts both ways, 4224 bytes
LAUNCH(32, 8, 32, 32)

#define PLACE(r, c) (33 * (r) + ((c) >> 1 | ((c) & 1) << 4))
#define EACH_ROW(r) _Pragma("unroll") for (int r = threadIdx.y; r != threadIdx.y + 32; r += 8)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float words[32 * 33];
    const int x = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;

    EACH_ROW(r)
        if (top + r < height && left + x < width)
            words[PLACE(r, x)] = in[(top + r) * width + (left + x)];

    __syncthreads();

    EACH_ROW(c)
        if (left + c < width && top + x < height)
            out[(left + c) * height + (top + x)] = words[PLACE(x, c)];
}
