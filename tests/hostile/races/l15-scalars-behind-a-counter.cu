// lesson 15; device sim,gpu; nvcc,clang; want: fail|timeout; tries: totals has its barrier taken out: eight volatile variables and a counter by relaxed atomicAdd, with no fence on either side. Thread 0 may see the counter at 8 and still read a variable whose store it has not seen (volatile and atomicAdd are relaxed; only a fence on both sides, or a barrier, orders the variables with the counter). Every n: warps 1 to 7 hand over a sum (0 beyond n) without an order.
// 15 debug clinic: fixed. totals takes shuffles, and thread 0 waits for eight sums.
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
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];                    // @sum
}

__global__ void totals(float *out, const float *in, int n)
{
    // Not an array: each is one word, stored once and loaded once, past all caches.
    __shared__ volatile float s0, s1, s2, s3, s4, s5, s6, s7;
    __shared__ unsigned ready;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (t == 0)
        ready = 0;
    float sum = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (t % 32 == 0) {
        switch (t / 32) {
        case 0: s0 = sum; break;
        case 1: s1 = sum; break;
        case 2: s2 = sum; break;
        case 3: s3 = sum; break;
        case 4: s4 = sum; break;
        case 5: s5 = sum; break;
        case 6: s6 = sum; break;
        case 7: s7 = sum; break;
        }
        atomicAdd(&ready, 1);
    }
    if (t == 0) {
        while (*(volatile unsigned *)&ready != 8)
            ;
        float a = s0, b = s1, c = s2, d = s3, e = s4, f = s5, g = s6, h = s7;
        out[blockIdx.x] = ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x, first = blockIdx.x * 256;

    if (first + t < n)
        tile[255 - t] = in[first + t];  // turned round here …
    __syncthreads();
    if (n - first - 256 + t >= 0)
        out[n - first - 256 + t] = tile[t];  // … and stored in order, at the mirrored place
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
