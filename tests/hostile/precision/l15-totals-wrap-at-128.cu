// lesson 15; device sim,gpu; nvcc,clang; want: fail; tries: adds the block up in 64-bit whole numbers of 2^-56, which wrap where the sum leaves -128 to 128: 256 elements of 1 come out as 0

#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[258];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        tile[257] = i + 1 < n ? in[i + 1] : 0.0f;



    __syncthreads();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ long long part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    part[t] = i < n ? (long long)(in[i] * 72057594037927936.0f) : 0;
    __syncthreads();
    for (int distance = 128; distance > 0; distance /= 2) {
        if (t < distance)
            part[t] += part[t + distance];

        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0] / 72057594037927936.0f;
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;


    if (first + t < n)
        tile[255 - t] = in[first + t];
    __syncthreads();


    if (n - first - 256 + t >= 0)
        out[n - first - 256 + t] = tile[t];
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
