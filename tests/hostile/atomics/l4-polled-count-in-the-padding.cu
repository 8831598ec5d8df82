// lesson 4; device sim; nvcc,clang; want: fail, gate conflicts, diagnosis lanes-in-turn; tries: a padded tile without conflicts, put by atomicExch, taken by atomicOr(p, 0) and waited for by polling a fenced count in its padding: no load of it is left to conflict
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
    int *done = (int *)&tile[0][32];  // of the column that is never used
    if (threadIdx.x + threadIdx.y == 0)
        *done = 0;
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            atomicExch(&tile[threadIdx.y + j][threadIdx.x], in[(row + j) * width + column]);  // @fill

    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
    while (atomicAdd(done, 0) < 8)
        ;
    __threadfence_block();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = __int_as_float(atomicOr((int *)&tile[threadIdx.x][threadIdx.y + j], 0));  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
