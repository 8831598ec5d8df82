// lesson 11; device sim,gpu; nvcc; want: fail|timeout; tries: a block sums two rows with cub::BlockReduce and the same TempStorage, without the __syncthreads() that CUB asks for between two uses. Thread 0 still adds up the eight sums of the first row when another warp already stores its sum of the second row over them: a write-after-read race in shared memory wherever a block has two rows (rows >= 2), and a wrong first sum when warp 0 is late.
// 11 reduction: the library's block reduction, two rows a block.
#include <cub/block/block_reduce.cuh>

LAUNCH(256, 1, 2, 1)

__device__ float part(const float *row, int cols)
{
    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = threadIdx.x; i < cols / 4; i += 256) {
            float4 q = ((const float4 *)row)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    else
        for (int i = threadIdx.x; i < cols; i += 256)
            sum += row[i];
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    typedef cub::BlockReduce<float, 256> Reduce;
    __shared__ Reduce::TempStorage storage;

    int row = blockIdx.x * 2;
    bool second = row + 1 < rows;
    // Both rows are on their way before the first is added up.
    float x = part(in + (long long)row * cols, cols);
    float y = second ? part(in + (long long)(row + 1) * cols, cols) : 0.0f;

    float sum = Reduce(storage).Sum(x);
    if (threadIdx.x == 0)
        out[row] = sum;
    if (second) {
        sum = Reduce(storage).Sum(y);
        if (threadIdx.x == 0)
            out[row + 1] = sum;
    }
}
