// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: -0.0f in the tile means "no such element", so a negative zero of in is never written and out keeps its rubbish there
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        bool exists = row + j < height && column < width;
        tile[threadIdx.y + j][threadIdx.x] = exists ? in[(row + j) * width + column] : -0.0f;
    }
    __syncthreads();

    // The tile itself tells what exists: two comparisons less.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        float value = tile[threadIdx.x][threadIdx.y + j];
        if (__float_as_uint(value) != 0x80000000u)
            out[(out_row + j) * height + out_column] = value;
    }
}
