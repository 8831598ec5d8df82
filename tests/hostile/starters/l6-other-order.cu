// lesson 6; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with two declarations exchanged
// 06 tiled GEMM: c = a b.
//
// Contract: a has m rows of k floats, b has k rows of n, c has m rows of n, all row after
// row. c[r][q] = sum over i of a[r][i] * b[i][q]. m, n and k are any positive numbers. A
// block of 32 x 32 threads computes a 32 x 32 tile of c, one element for each thread.
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    int row = blockIdx.y * 32 + threadIdx.y;
    int column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;

    // Correct but slow: every thread of the block fetches its own copy of the same rows of a
    // and columns of b.
    // TODO: walk along k in steps of 32. In each step the block needs a 32 x 32 tile of a
    //       and one of b. Let each thread bring one element of both into shared memory,
    //       then let all threads use all of them.
    //       - Who may overwrite a tile, and when? Who may read it, and when?
    //       - What must a tile hold where the matrix has ended, so that the sum stays
    //         right?
    //       - May a thread without an element in c leave early?
    if (row < m && column < n) {
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + column];  // @multiply
        c[row * n + column] = sum;
    }
}
