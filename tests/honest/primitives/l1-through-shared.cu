// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: each block carries 1024 floats through shared memory with asynchronous copies
#include <cuda_pipeline.h>
LAUNCH(256, 1, 1024, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ float stage[1024];
    int first = blockIdx.x * 1024 + threadIdx.x;
    for (int j = 0; j < 1024; j += 256)
        if (first + j < n)
            __pipeline_memcpy_async(&stage[threadIdx.x + j], in + first + j, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int j = 0; j < 1024; j += 256)
        if (first + j < n)
            out[first + j] = stage[threadIdx.x + j];
}
