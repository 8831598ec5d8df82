// Reads of memory that nobody wrote.

//: shared_never_written 1 32 : uninitialised-shared r
__global__ void shared_never_written(const int *in, int *out, int n)
{
    __shared__ volatile int s[32];
    out[threadIdx.x] = s[threadIdx.x]; // @r
}

//: halo_forgotten 1 32 : uninitialised-shared r
__global__ void halo_forgotten(const int *in, int *out, int n)
{
    __shared__ int s[34];
    int t = threadIdx.x;
    s[t + 1] = in[t];
    __syncthreads();
    int v = s[t]; // @r
    out[t] = v;
}

//: last_tile_partly_filled 1 64 : uninitialised-shared r
__global__ void last_tile_partly_filled(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 50)
        s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t]; // @r
}

//: bins_not_zeroed 1 64 : uninitialised-shared a
__global__ void bins_not_zeroed(const int *in, int *out, int n)
{
    __shared__ int bins[64];
    int t = threadIdx.x;
    atomicAdd(&bins[in[t] % 64], in[t]); // @a
    __syncthreads();
    out[t] = bins[t];
}

//: dynamic_never_written 1 32 256 : uninitialised-shared r
extern __shared__ int pool[];
__global__ void dynamic_never_written(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    pool[t] = in[t];
    __syncthreads();
    out[t] = pool[t + 32]; // @r
}

//: output_added_to 1 32 : uninitialised-global r
__global__ void output_added_to(const int *in, int *out, int n)
{
    int old = out[threadIdx.x]; // @r
    out[threadIdx.x] = old + in[threadIdx.x];
}

//: reads_past_what_was_written 1 32 : uninitialised-global r
__global__ void reads_past_what_was_written(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t];
    __syncthreads();
    int v = out[t + 1]; // @r
    out[t + 64] = v;
}

//: atomic_on_unset_output 2 32 : uninitialised-global a
__global__ void atomic_on_unset_output(const int *in, int *out, int n)
{
    atomicAdd(&out[threadIdx.x % 4], in[threadIdx.x]); // @a
}

//: old_value_of_an_exchange 1 32 : uninitialised-shared a
__global__ void old_value_of_an_exchange(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    out[t] = atomicExch(&s[t], in[t]); // @a
}
