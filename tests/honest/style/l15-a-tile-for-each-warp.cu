// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: each warp keeps a tile of its own with its own halo and needs __syncwarp() alone (totals still joins eight sums behind a barrier): every pair that meets is of one warp, at most 3 requests for 32 elements, copies stay asynchronous

#include <cuda_pipeline.h>

__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float tile[8][34];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 256 + threadIdx.x;

    tile[w][lane + 1] = i < n ? in[i] : 0.0f;
    if (lane == 0)
        tile[w][0] = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
    if (lane == 31)
        tile[w][33] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncwarp();
    if (i < n)
        out[i] = tile[w][lane] + tile[w][lane + 1] + tile[w][lane + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[8];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 256 + threadIdx.x;

    float sum = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        part[w] = sum;
    __syncthreads();
    if (w == 0) {
        sum = lane < 8 ? part[lane] : 0.0f;
        for (int d = 4; d > 0; d /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[8][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, first = blockIdx.x * 256 + w * 32;

    if (first + lane < n)
        tile[w][31 - lane] = in[first + lane];
    __syncwarp();
    int to = n - first - 32 + lane;
    if (to >= 0)
        out[to] = tile[w][lane];
}

__global__ void differences(float *out, const float *in, int n)
{
    __shared__ float tile[8][33];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, i = blockIdx.x * 256 + threadIdx.x;

    if (i < n)
        __pipeline_memcpy_async(&tile[w][lane + 1], &in[i], 4);
    if (lane == 0 && i < n)
        __pipeline_memcpy_async(&tile[w][0], i > 0 ? &in[i - 1] : in, 4, i > 0 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    if (i < n)
        out[i] = tile[w][lane + 1] - tile[w][lane];
}
