// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: cheat: 4096 bytes are declared but rows are 33 words apart, so in every tile with 32 rows and 2 or more columns words 1024 to 1054 of shared memory, behind the array, are written and read.
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];  // exactly 32 x 32 floats

    // Element (r, c) goes to another bank in each row.
    int pitch = blockDim.x + 1;

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r * pitch + threadIdx.x] = in[(row + j) * width + column];  // @fill
    }

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x * pitch + c];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
