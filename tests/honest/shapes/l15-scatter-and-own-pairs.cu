// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: neighbours scatters to two arrays, totals reduces between two arrays in turns, reverse turns warps by a shuffle and blocks by the tile, differences has each thread copy its own pair and wait for it alone: right, each read is ordered after its write
#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float before[257], behind[257];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float mine = i < n ? in[i] : 0.0f;
    before[t + 1] = mine;  // what thread t + 1 has before it
    behind[t] = mine;      // what thread t - 1 has behind it
    if (t == 0)
        before[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 255)
        behind[256] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = before[t] + mine + behind[t + 1];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, now = 0;
    part[0][t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int distance = 128; distance > 0; distance /= 2) {
        if (t < distance)
            part[1 - now][t] = part[now][t] + part[now][t + distance];
        now = 1 - now;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[now][0];
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[8][32];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, first = blockIdx.x * 256;
    float mine = first + t < n ? in[first + t] : 0.0f;
    tile[7 - warp][lane] = __shfl_xor_sync(0xffffffff, mine, 31);
    __syncthreads();
    int to = n - first - 256 + t;
    if (to >= 0)
        out[to] = tile[warp][lane];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float own[256], before[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n) {
        __pipeline_memcpy_async(&own[t], &in[i], 4);
        __pipeline_memcpy_async(&before[t], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);  // a thread reads nothing but what it copied itself: no barrier
    if (i < n)
        out[i] = own[t] - before[t];
}
