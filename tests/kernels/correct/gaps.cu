// Arrays with free bytes between them, which nobody writes.
#include <cuda/atomic>

//: odd_arrays 1 32 :
__global__ void odd_arrays(const int *in, int *out, int n)
{
    __shared__ char bytes[33];
    __shared__ short shorts[35];
    __shared__ int4 next[32];
    int t = threadIdx.x;
    bytes[t + 1] = (char)in[t];
    bytes[0] = 0;
    shorts[t + 3] = (short)in[t];
    if (t < 3)
        shorts[t] = 0;
    next[t] = make_int4(t, t, t, t);
    __syncthreads();
    out[t] = bytes[31 - t] + shorts[34 - t] + next[31 - t].w;
}

//: before_the_dynamic_ones 1 32 512 :
extern __shared__ __align__(128) char gap_bytes[];
__global__ void before_the_dynamic_ones(const int *in, int *out, int n)
{
    __shared__ int s[33];
    int t = threadIdx.x;
    float4 *moved = (float4 *)(gap_bytes + 0);
    s[t + 1] = in[t];
    s[0] = 0;
    moved[t] = make_float4(1, 2, 3, (float)t);
    __syncthreads();
    out[t] = s[32 - t] + (int)moved[31 - t].w;
}

//: counters_of_two_bytes 1 64 :
__global__ void counters_of_two_bytes(const int *in, int *out, int n)
{
    __shared__ unsigned short counts[3];
    __shared__ int4 after[4];
    if (threadIdx.x < 3)
        counts[threadIdx.x] = 0;
    if (threadIdx.x < 4)
        after[threadIdx.x] = make_int4(1, 2, 3, in[0]);
    __syncthreads();
    cuda::atomic_ref<unsigned short, cuda::thread_scope_block>(counts[threadIdx.x % 3]).fetch_add(1); // in its word
    __syncthreads();
    out[threadIdx.x] = counts[threadIdx.x % 3] + after[threadIdx.x % 4].w;
}
