// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: the key is the row's number times a power of x in the field of 32 elements
LAUNCH(32, 8, 32, 32)

// Polynomials over GF(2), five bits, modulo x^5 + x^2 + 1. Times x is one to one, so times x^3 is.
__device__ constexpr int times_x(int a)
{
    return (a << 1 ^ (a >> 4 & 1 ? 0x25 : 0)) & 31;
}

__device__ constexpr int key(int row)
{
    return times_x(times_x(times_x(row)));
}

static_assert(key(1) == 8 && key(4) == 5, "x^3, and x^5 = x^2 + 1");

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column0 = blockIdx.x * 32, row0 = blockIdx.y * 32;

    // Element (r, c) lives in column c ^ key(r): for one r all columns, for one c all banks. The key of a
    // sum without carries is the sum of the keys: key(ty + j) = key(ty) ^ key(j).
    const int from_me = key(ty);
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row0 + ty + j < height && column0 + tx < width)
            tile[ty + j][tx ^ from_me ^ key(j)] = in[(row0 + ty + j) * width + column0 + tx];

    __syncthreads();

    const int to_me = key(tx);
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (column0 + ty + j < width && row0 + tx < height)
            out[(column0 + ty + j) * height + row0 + tx] = tile[tx][(ty + j) ^ to_me];
}
