// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a HIP port with 16 x 16 threads for 32 x 32 elements; a half-warp has 16 rows of one column of in, so it writes 16 neighbours, two whole sectors where out's rows begin at multiples of 32 bytes; four ternary-guarded elements each, right
LAUNCH(16, 16, 32, 32)

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    float value[2][2];
    const int row = hipBlockIdx_y * 32 + hipThreadIdx_x, column = hipBlockIdx_x * 32 + hipThreadIdx_y;
#pragma unroll 2
    for (int i = 0; i < 2; i++)
#pragma unroll 2
        for (int j = 0; j < 2; j++)
            value[i][j] = row + i * 16 < height && column + j * 16 < width
                              ? __ldg(in + (size_t)(row + i * 16) * width + column + j * 16)
                              : 0.0f;
#pragma unroll 2
    for (int j = 0; j < 2; j++)
#pragma unroll 2
        for (int i = 0; i < 2; i++)
            if (row + i * 16 < height && column + j * 16 < width)
                out[(size_t)(column + j * 16) * height + row + i * 16] = value[i][j];
}
