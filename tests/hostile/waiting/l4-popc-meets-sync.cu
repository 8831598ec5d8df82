// lesson 4; device sim; nvcc,clang; want: fail; tries: odd rows of threads come to bar.red.popc 0 and even ones to bar.sync 0: PTX forbids both kinds at one active barrier (undefined), CUDA two calls for one barrier
// 04 padding. Solution.
LAUNCH(32, 8, 32, 32)  // a quarter of the threads, the same tile

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // A row is 33 words long, one more than there are banks. Element (r, c) is word 33 r +
    // c, in bank (r + c) % 32: going down a column, r counts through all the banks, as c
    // does along a row. Column 32 is never used.
    __shared__ float tile[32][33];

    // Each thread moves four elements, eight rows apart. Their loads do not depend on each
    // other, so all four are on their way at once; and a block of 256 threads waits for
    // fewer warps at the barrier than one of 1024.
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    if (threadIdx.y % 2)
        __syncthreads_count(threadIdx.x & 1);
    else
        __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
