// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: edges of warps only, two arrays that take turns, a mirrored read, and a cuda::barrier's token
#include <cuda/barrier>

// A warp's lanes know their neighbours. Only the first and the last lane have to ask another warp.
__global__ void neighbours(float *out, const float *in, int n)
{
    __shared__ float first_of[8], last_of[8];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32, warp = t / 32;

    const float mine = i < n ? in[i] : 0.0f;
    if (lane == 0)
        first_of[warp] = mine;
    if (lane == 31)
        last_of[warp] = mine;
    __syncthreads();

    float left = __shfl_up_sync(0xffffffff, mine, 1), right = __shfl_down_sync(0xffffffff, mine, 1);
    if (lane == 0)
        left = warp > 0 ? last_of[warp - 1] : i > 0 ? in[i - 1] : 0.0f;
    if (lane == 31)
        right = warp < 7 ? first_of[warp + 1] : i + 1 < n ? in[i + 1] : 0.0f;

    if (i < n)
        out[i] = left + mine + right;
}

// In each round all read from one array and write to the other: one barrier, and everybody comes to it.
__global__ void totals(float *out, const float *in, int n)
{
    __shared__ float part[2][256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    int now = 0;
    part[now][t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int left = 128; left > 0; left /= 2, now = 1 - now) {
        if (t < left)
            part[1 - now][t] = part[now][t] + part[now][t + left];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[now][0];
}

// Brought in order, read in the mirror. A thread whose place is before the array has nothing to store.
__global__ void reverse(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    const int t = threadIdx.x, first = blockIdx.x * 256, have = min(256, n - first);

    if (t < have)
        tile[t] = in[first + t];
    __syncthreads();
    if (t < have)
        out[n - first - have + t] = tile[have - 1 - t];
}

// The copies are the barrier's: who has waited with his token knows that those of all threads are there.
__global__ void differences(float *out, const float *in, int n)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier here;
    __shared__ float tile[257];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;

    if (t == 0)
        init(&here, 256);
    __syncthreads();

    if (i < n)
        cuda::memcpy_async(&tile[t + 1], &in[i], cuda::aligned_size_t<4>(4), here);
    if (t == 0 && i > 0)
        cuda::memcpy_async(&tile[0], &in[i - 1], cuda::aligned_size_t<4>(4), here);
    if (t == 0 && i == 0)
        tile[0] = 0.0f;
    here.wait(here.arrive());

    if (i < n)
        out[i] = tile[t + 1] - tile[t];
}
