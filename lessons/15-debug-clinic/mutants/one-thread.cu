// Thread 0 does the work of all: nobody has to wait, and nothing is mended.
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    if (threadIdx.x == 0)
        for (int i = blockIdx.x * 256; i < blockIdx.x * 256 + 256 && i < n; i++)
            out[i] = (i > 0 ? in[i - 1] : 0.0f) + in[i] + (i + 1 < n ? in[i + 1] : 0.0f);
}

__global__ void totals(float *out, const float *in, int n)
{
    if (threadIdx.x)
        return;
    float sum = 0.0f;
    for (int i = blockIdx.x * 256; i < blockIdx.x * 256 + 256 && i < n; i++)
        sum += in[i];
    out[blockIdx.x] = sum;
}

__global__ void reverse(float *out, const float *in, int n)
{
    if (threadIdx.x == 0)
        for (int i = blockIdx.x * 256; i < blockIdx.x * 256 + 256 && i < n; i++)
            out[n - 1 - i] = in[i];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[257];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (i < n)
        __pipeline_memcpy_async(&tile[t + 1], &in[i], 4);
    if (t == 0)
        __pipeline_memcpy_async(&tile[0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
