// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: Latin square 5 c + 11 r + 3 modulo 32, a constexpr functor checked by static_assert
struct Latin {
    static constexpr __host__ __device__ int at(int r, int c) { return r * 32 + ((5 * c + 11 * r + 3) & 31); }
};
constexpr bool proof()
{
    for (int i = 0; i < 32; i++) {
        unsigned row = 0, col = 0;
        for (int j = 0; j < 32; j++) {
            row |= 1u << (Latin::at(i, j) & 31);
            col |= 1u << (Latin::at(j, i) & 31);
        }
        if (row != ~0u || col != ~0u) return false;
    }
    return true;
}
static_assert(proof(), "not a Latin square");
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    int bx = blockIdx.x * 32, by = blockIdx.y * 32;
#pragma unroll 4
    for (int r = threadIdx.y; r < 32; r += 8)
        if (by + r < height && bx + threadIdx.x < width)
            tile[Latin::at(r, threadIdx.x)] = in[(by + r) * width + bx + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int c = threadIdx.y; c < 32; c += 8)
        if (bx + c < width && by + threadIdx.x < height)
            out[(bx + c) * height + by + threadIdx.x] = tile[Latin::at(threadIdx.x, c)];
}
