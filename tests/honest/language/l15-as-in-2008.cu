// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: CUDA of 2008: __mul24 indices, macros, unsigned everything, the unrolled tree, made right for today
#include <cuda_pipeline.h>

#define THREADS 256
#define IMUL(a, b) __mul24((int)(a), (int)(b))
#define SDATA(i) sdata[(i)]
#define SYNC() __syncthreads()

typedef unsigned int uint32;

__global__ void neighbours(float *g_odata, const float *g_idata, int n)
{
    __shared__ float sdata[THREADS + 2];
    const uint32 tid = threadIdx.x;
    const int gid = IMUL(blockIdx.x, blockDim.x) + tid;

    SDATA(tid + 1) = (gid < n) ? g_idata[gid] : 0.0f;
    if (tid == 0)
        SDATA(0) = (gid > 0) ? g_idata[gid - 1] : 0.0f;
    if (tid == THREADS - 1)
        SDATA(THREADS + 1) = (gid + 1 < n) ? g_idata[gid + 1] : 0.0f;
    SYNC();

    if (gid < n)
        g_odata[gid] = (SDATA(tid) + SDATA(tid + 1)) + SDATA(tid + 2);
}

template <unsigned int blockSize>
__device__ void reduce_block(float *sdata, uint32 tid)
{
    if (blockSize >= 512) { if (tid < 256) { SDATA(tid) += SDATA(tid + 256); } SYNC(); }
    if (blockSize >= 256) { if (tid < 128) { SDATA(tid) += SDATA(tid + 128); } SYNC(); }
    if (blockSize >= 128) { if (tid <  64) { SDATA(tid) += SDATA(tid +  64); } SYNC(); }

    // Then it was thought that a warp needs nothing here, if only sdata is volatile.
    if (tid < 32)
    {
        float mine = SDATA(tid);
        mine += SDATA(tid + 32); __syncwarp(); SDATA(tid) = mine; __syncwarp();
        mine += SDATA((tid + 16) & 31); __syncwarp(); SDATA(tid) = mine; __syncwarp();
        mine += SDATA((tid +  8) & 31); __syncwarp(); SDATA(tid) = mine; __syncwarp();
        mine += SDATA((tid +  4) & 31); __syncwarp(); SDATA(tid) = mine; __syncwarp();
        mine += SDATA((tid +  2) & 31); __syncwarp(); SDATA(tid) = mine; __syncwarp();
        mine += SDATA((tid +  1) & 31); __syncwarp(); SDATA(tid) = mine; __syncwarp();
    }
}

__global__ void totals(float *g_odata, const float *g_idata, int n)
{
    __shared__ float sdata[THREADS];
    const uint32 tid = threadIdx.x;
    const int gid = IMUL(blockIdx.x, THREADS) + tid;

    SDATA(tid) = (gid < n) ? g_idata[gid] : 0.0f;
    SYNC();
    reduce_block<THREADS>(sdata, tid);
    if (tid == 0)
        g_odata[blockIdx.x] = SDATA(0);
}

__global__ void reverse(float *g_odata, const float *g_idata, int n)
{
    __shared__ float s_block[THREADS];
    const int inOffset = IMUL(blockDim.x, blockIdx.x);
    const int outOffset = n - THREADS - inOffset;
    const int in = inOffset + threadIdx.x, out = outOffset + threadIdx.x;

    if (in < n)
        s_block[blockDim.x - 1 - threadIdx.x] = g_idata[in];
    SYNC();
    if (out >= 0)
        g_odata[out] = s_block[threadIdx.x];
}

__global__ void differences(float *g_odata, const float *g_idata, int n)
{
    __shared__ float s_data[THREADS + 1];
    const uint32 tid = threadIdx.x;
    const int gid = IMUL(blockIdx.x, blockDim.x) + tid;
    const bool exists = gid < n, first = tid == 0;

    if (exists)
        __pipeline_memcpy_async(s_data + tid + 1, g_idata + gid, sizeof(float));
    if (first && gid > 0)
        __pipeline_memcpy_async(s_data, g_idata + gid - 1, sizeof(float));
    else if (first)
        __pipeline_memcpy_async(s_data, g_idata, sizeof(float), sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    SYNC();

    if (exists)
        g_odata[gid] = s_data[tid + 1] - s_data[tid];
}
