// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a ring of asynchronous copies is drained with "at most one under way" in its last turn as well: the last float of each thread may not have come when it is added
#include <cuda_pipeline.h>

LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float slot[4][256], part[8];
    int t = threadIdx.x, lane = t % 32;
    const float *from = in + (size_t)blockIdx.x * cols;

    // Four places for each thread, which nobody else touches: no barrier.
    int turns = t < cols ? (cols - t + 255) / 256 : 0;
    for (int j = 0; j < 3 && j < turns; j++) {
        __pipeline_memcpy_async(&slot[j][t], &from[j * 256 + t], 4);
        __pipeline_commit();
    }
    float sum = 0.0f;
    for (int j = 0; j < turns; j++) {
        if (j + 3 < turns) {
            __pipeline_memcpy_async(&slot[(j + 3) % 4][t], &from[(j + 3) * 256 + t], 4);
            __pipeline_commit();
            __pipeline_wait_prior(3);
        } else
            __pipeline_wait_prior(1);  // no more are issued
        sum += slot[j % 4][t];
    }

    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(~0u, sum, s);
    if (lane == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = lane < 8 ? part[lane] : 0.0f;
        for (int s = 4; s > 0; s /= 2)
            sum += __shfl_down_sync(~0u, sum, s);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}
