// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: two rounds of pairwise named barriers reuse ids 1 and 2 with other partners: a warp of the second round may complete the first of another pair
// 05 swizzling. Solution.
LAUNCH(32, 4, 32, 32)  // eight elements a thread

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    // Element (r, c) lives in column c ^ r of row r. For a fixed r, c ^ r takes each of 0 …
    // 31 once as c does: nothing is overwritten. For a fixed c it takes each of 0 … 31 once
    // as r does: a column of the matrix is spread over all the banks.
    //
    // Eight loads that do not depend on each other: more bytes are on their way in each
    // thread, and a block's barrier waits for only four warps. On the H200 that is worth
    // 5 % against 32 x 8 threads with four loads.
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int r = threadIdx.y + j;
        if (row + j < height && column < width)
            tile[r][threadIdx.x ^ r] = in[(row + j) * width + column];  // @fill
    }

    // Pairs of warps meet, 0 with 1 and 2 with 3, then 0 with 2 and 1 with 3: under one id, the second time with another partner.
    asm volatile("barrier.cta.sync %0, 64;" ::"r"(1 + threadIdx.y / 2) : "memory");
    asm volatile("barrier.cta.sync %0, 64;" ::"r"(1 + threadIdx.y % 2) : "memory");

    // The reader wants (r, c) = (threadIdx.x, threadIdx.y + j) and has to look where the
    // writer put it: the same formula, with the r and c of the element, not of the thread.
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int c = threadIdx.y + j;
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][c ^ threadIdx.x];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
    }
}
