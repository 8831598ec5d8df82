// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: four rows of the tile stored with one stmatrix, chunks of four floats swizzled, taken as float4, 4096 bytes
LAUNCH(32, 8, 32, 32)

// stmatrix means 8 x 8 halves, which are 8 rows of 16 bytes: lane l holds word l % 4 of row l / 4. If
// the eight "rows" are the eight chunks of one row of the tile, lane l holds just the float of column l.
__device__ __forceinline__ void store_rows(void *chunk, const float (&row)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 :: "r"((unsigned)__cvta_generic_to_shared(chunk)), "r"(__float_as_uint(row[0])),
                    "r"(__float_as_uint(row[1])), "r"(__float_as_uint(row[2])), "r"(__float_as_uint(row[3]))
                 : "memory");
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(128) float4 tile[32][8];  // chunk q of row r lives at place q ^ r % 8

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int column = blockIdx.x * 32 + lane, row = blockIdx.y * 32 + warp * 4;

    float mine[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        mine[j] = row + j < height && column < width ? in[(row + j) * width + column] : 0.0f;

    // Lane l tells where chunk l % 8 of the warp's row l / 8 goes.
    const int r = warp * 4 + lane / 8;
    store_rows(&tile[r][(lane ^ r) & 7], mine);

    __syncthreads();

    // A lane takes four columns of row `lane`: eight rows have them in eight groups of four banks.
    const float4 four = tile[lane][(warp ^ lane) & 7];
    const float value[4] = {four.x, four.y, four.z, four.w};
    const int out_column = blockIdx.y * 32 + lane, out_row = blockIdx.x * 32 + warp * 4;
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = value[j];
}
