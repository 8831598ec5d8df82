// lesson 11; device sim,gpu; nvcc; want: pass; tries: cub::WarpReduce
LAUNCH(256, 1, 8, 1)
#include <cub/cub.cuh>

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)(in + (long long)row * cols);
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = lane; i < cols; i += 32)
            sum += in[(long long)row * cols + i];
    __shared__ cub::WarpReduce<float>::TempStorage kept[8];
    sum = cub::WarpReduce<float>(kept[threadIdx.x / 32]).Sum(sum);
    if (lane == 0)
        out[row] = sum;
}
