// lesson 4; device sim,gpu; nvcc,clang; quick; want: fail, at most 0; tries: the starter with a function that nobody calls
// 04 padding: the tiled transpose without bank conflicts.
//
// Contract: out[c][r] = in[r][c]. in has `height` rows of `width` floats, out has `width`
// rows of `height` floats. At most 4224 bytes of shared memory.
__device__ int never(int x) { return x + 1; }

LAUNCH(32, 32, 32, 32)  // threads in x and y; columns and rows of in that one block covers

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // TODO: the lanes of a warp read one column of this array. Where in memory are its 32
    //       floats, counted in words? Which banks are those? Change where a row begins, so
    //       that they are 32 different banks.
    __shared__ float tile[32][32];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  // @fill

    __syncthreads();

    // TODO, for full marks: 1024 threads move one float each and then wait at the barrier
    // together. Let a block of 32 x 8 threads move the same tile. What must each thread do
    // then, and what changes in the LAUNCH line?
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height) {
        float value = tile[threadIdx.x][threadIdx.y];  // @take
        out[out_row * height + out_column] = value;
    }
}
