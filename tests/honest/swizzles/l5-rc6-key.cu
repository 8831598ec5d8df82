// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: XOR with r (2 r + 1) mod 32, RC6's permutation of the rows, proved by static_assert
LAUNCH(32, 4, 32, 32)

// r (2 r + 1) is one to one modulo any power of two.
__host__ __device__ constexpr unsigned key(unsigned r) { return r * (2 * r + 1) & 31; }

constexpr bool one_to_one()
{
    unsigned seen = 0;
    for (unsigned r = 0; r < 32; r++)
        seen |= 1u << key(r);
    return seen == 0xffffffffu;
}
static_assert(one_to_one(), "two rows have one key: their elements of a column meet in a bank");

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    unsigned x = threadIdx.x, w = width, h = height;
    unsigned left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (unsigned j = 0; j < 32; j += 4) {
        unsigned r = threadIdx.y + j;
        if (top + r < h && left + x < w)
            tile[r << 5 | (x ^ key(r))] = in[(top + r) * w + left + x];
    }
    __syncthreads();

    unsigned mine = key(x);  // reading, the row is the lane's
#pragma unroll
    for (unsigned j = 0; j < 32; j += 4) {
        unsigned c = threadIdx.y + j;
        if (left + c < w && top + x < h)
            out[(left + c) * h + top + x] = tile[x << 5 | (c ^ mine)];
    }
}
