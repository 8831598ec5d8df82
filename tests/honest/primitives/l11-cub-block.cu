// lesson 11; device sim,gpu; nvcc; want: full; tries: a block of 128 threads for each row with cub::BlockReduce by warps, one barrier in it, 16 bytes a load
#include <cub/block/block_reduce.cuh>

LAUNCH(128, 1, 1, 1)

using BlockSum = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;

__global__ void __launch_bounds__(128) row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ typename BlockSum::TempStorage storage;

    const float *row = in + (size_t)blockIdx.x * cols;
    float sum = 0.0f;
    if ((cols & 3) == 0) {
        const float4 *quads = reinterpret_cast<const float4 *>(row);
#pragma unroll 2
        for (int i = threadIdx.x; i < cols >> 2; i += 128) {
            const float4 q = __ldcs(quads + i);
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = threadIdx.x; i < cols; i += 128)
            sum += __ldcs(row + i);

    const float total = BlockSum(storage).Sum(sum);  // all 128 bring one, 0 if they have nothing
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}
