// lesson 5; device sim,gpu; nvcc,clang; want: pass|fail, at least 85; tries: the key of a row is read from constant memory
LAUNCH(32, 4, 32, 32)  // eight elements a thread

__constant__ unsigned char key[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

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
            tile[r][threadIdx.x ^ key[r]] = in[(row + j) * width + column];  // @fill
    }

    __syncthreads();

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
