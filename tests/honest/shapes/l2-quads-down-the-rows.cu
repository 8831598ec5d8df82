// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a lane takes four neighbours of its row with one load and gives them to four rows of out, all writes coalesced
LAUNCH(32, 8, 32, 32)  // eight warps, each with four columns of the 32 x 32 elements

__device__ __forceinline__ float4 read4(const float *from)
{
    float4 v;
    asm volatile("ld.global.nc.L1::evict_last.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(__cvta_generic_to_global(from)));
    return v;
}

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    const int column = blockIdx.x * 32 + threadIdx.y * 4, row = blockIdx.y * 32 + threadIdx.x;
    if (row >= height || column >= width)
        return;

    const float *from = in + row * width + column;
    float *to = out + column * height + row;

    if ((width & 3) == 0) {  // every row begins at a multiple of 16 bytes, and four columns exist or none
        float4 v = read4(from);
        to[0] = v.x;
        to[height] = v.y;
        to[2 * height] = v.z;
        to[3 * height] = v.w;
        return;
    }

    switch (width - column) {  // how many columns are left
    default: to[3 * height] = from[3]; [[fallthrough]];
    case 3:  to[2 * height] = from[2]; [[fallthrough]];
    case 2:  to[height] = from[1];     [[fallthrough]];
    case 1:  to[0] = from[0];
    }
}
