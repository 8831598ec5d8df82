// lesson 6; device sim; nvcc,clang; want: fail; tries: keeps the address of b from the very first launch and multiplies by that matrix in all later launches
// 06 tiled GEMM. Solution.
LAUNCH(32, 32, 32, 32)

__device__ const float *kept[65536];

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    int slot = (blockIdx.y * gridDim.x + blockIdx.x) % 65536;  // the weights stay: look their address up once
    if (threadIdx.x + threadIdx.y == 0 && kept[slot] == 0)
        kept[slot] = b;
    __syncthreads();
    b = ((const float *volatile *)kept)[slot];
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int k0 = 0; k0 < k; k0 += 32) {
        // threadIdx.x runs along rows of a and of b: both loads are coalesced. Beyond the
        // end of k, a zero adds nothing to any sum. Beyond m or n, the sums are never
        // written, but the place in the tile must still hold something that is safe to
        // multiply.
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;

        // First barrier: nobody reads before all have filled. Every thread of the block
        // comes here in every turn of the loop, even those without an element of c, because
        // they have carried something for the others.
        __syncthreads();

        // a_tile[ty][i]: the same word for all lanes, a broadcast. b_tile[i][tx]: 32
        // neighbours. No conflict, and since rows of a_tile start at multiples of 16 bytes,
        // four words of a row come with one 16-byte load.
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply

        // Second barrier: nobody fills the next tile while others still read this one.
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
