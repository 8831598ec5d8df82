// Writes past the end of an array, to bytes that only the next one's alignment leaves free.

//: one_index_too_many 1 64 : shared-gap w
__global__ void one_index_too_many(const int *in, int *out, int n)
{
    __shared__ int s[65]; // 260 bytes
    __shared__ int4 next[64];
    int t = threadIdx.x;
    s[t + 2] = in[t]; // @w
    next[t] = make_int4(t, t, t, t);
    __syncthreads();
    out[t] = s[t + 1 < 2 ? 2 : t + 1] + next[63 - t].x;
}

//: a_count_too_few 1 32 : shared-gap a, uninitialised-shared a
__global__ void a_count_too_few(const int *in, int *out, int n)
{
    __shared__ int counts[5];
    __shared__ __align__(16) int next[32];
    int t = threadIdx.x;
    next[t] = in[t] & 1;
    if (t < 5)
        counts[t] = 0;
    __syncthreads();
    atomicAdd(&counts[4 + next[31 - t]], 1); // @a
    __syncthreads();
    out[t] = counts[t % 5];
}

//: a_row_of_bytes 1 32 : shared-gap w
__global__ void a_row_of_bytes(const int *in, int *out, int n)
{
    __shared__ char s[33];
    __shared__ int next[32];
    int t = threadIdx.x;
    s[t + 3] = (char)in[t]; // @w
    next[t] = in[t];
    __syncthreads();
    out[t] = s[t < 3 ? 3 : t] + next[31 - t];
}

//: before_dynamic 1 32 128 : shared-gap w
extern __shared__ int gap_pool[];
__global__ void before_dynamic(const int *in, int *out, int n)
{
    __shared__ int s[33];
    int t = threadIdx.x;
    gap_pool[t] = in[t];
    s[t + 2] = in[t]; // @w
    __syncthreads();
    out[t] = s[t < 2 ? 2 : t] + gap_pool[31 - t];
}
