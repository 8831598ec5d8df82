// Atomics that meet plain accesses unordered.

//: counter_read_too_early 1 128 : atomic-race a r
__global__ void counter_read_too_early(const int *in, int *out, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (in[t] & 1)
        atomicAdd(&count, in[t]); // @a
    out[t] = count; // @r
}

//: counter_zeroed_too_late 1 64 : atomic-race z a
__global__ void counter_zeroed_too_late(const int *in, int *out, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0; // @z
    if (t >= 32)
        atomicAdd(&count, in[t]); // @a
    __syncthreads();
    out[t] = count;
}

//: histogram_without_barrier 1 256 : atomic-race a r
__global__ void histogram_without_barrier(const int *in, int *out, int n)
{
    __shared__ int bins[256];
    int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] * 7 % 256], in[t]); // @a
    out[t] = bins[t]; // @r
}

//: plain_increment_beside_atomic 1 64 : atomic-race p a
__global__ void plain_increment_beside_atomic(const int *in, int *out, int n)
{
    __shared__ int count[32];
    int t = threadIdx.x;
    if (t < 32)
        count[t] = 0;
    __syncthreads();
    if (t < 32)
        count[t] += in[t]; // @p
    else
        atomicAdd(&count[t - 32], in[t]); // @a
    __syncthreads();
    out[t] = count[t % 32];
}

//: flag_without_fence 1 64 : race w r
__global__ void flag_without_fence(const int *in, int *out, int n)
{
    __shared__ int data, flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t == 0) {
        data = in[9]; // @w
        atomicExch(&flag, 1);
    }
    if (t == 32) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        out[0] = data; // @r
    }
}

//: lock_without_fence 1 64 : race r w, race w w
__global__ void lock_without_fence(const int *in, int *out, int n)
{
    __shared__ int lock;
    __shared__ volatile int dummy;
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        lock = sum = dummy = 0;
    __syncthreads();
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        int v = sum; // @r
        sum = v + in[t] + 1; // @w
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[t] = sum + dummy;
}
