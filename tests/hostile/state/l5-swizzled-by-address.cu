// lesson 5; device sim; nvcc,clang; want: fail|timeout; tries: the XOR takes the key from, and acts on, bits of the absolute shared address, so an element stays inside the tile only if the tile begins at a multiple of 128, and it is declared with an alignment of 4: wherever it is placed otherwise, accesses leave the array; all sizes, by luck of the placement
// 05 swizzling: bits 2 to 6 of an address are the column, bits 7 to 11 the row. One XOR for both.
LAUNCH(32, 4, 32, 32)

__device__ unsigned place(const float *tile, int r, int c)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + r * 32 + c);
    return at ^ (at >> 5 & 0x7c);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4)
        if (row + j < height && column < width)
            asm volatile("st.shared.f32 [%0], %1;" :: "r"(place(tile, threadIdx.y + j, threadIdx.x)),
                         "f"(in[(row + j) * width + column]) : "memory");

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4)
        if (out_row + j < width && out_column < height) {
            float value;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(place(tile, threadIdx.x, threadIdx.y + j)) : "memory");
            out[(out_row + j) * height + out_column] = value;
        }
}
