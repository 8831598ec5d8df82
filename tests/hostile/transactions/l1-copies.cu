// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate loads, gate stores; tries: a run for each thread; the loads are asynchronous copies to shared memory
#include <cuda_pipeline.h>

LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ float way[256];
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + threadIdx.x * 32 + turn;
        if (i < n) {
            __pipeline_memcpy_async(&way[threadIdx.x], &in[i], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            out[i] = way[threadIdx.x];
        }
    }
}
