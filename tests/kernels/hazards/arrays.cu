// Writes to another array than the one that is indexed, and mbarriers that no mbarrier.init made, or one too many.
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(p, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(p)), "r"(n) : "memory")
#define INVAL(p) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(AT(p)) : "memory")
#define ARRIVE(p) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(AT(p)) : "memory")
#define AWAIT(p, parity)                                                                                               \
    do {                                                                                                               \
        unsigned done;                                                                                                 \
        do                                                                                                             \
            asm volatile("{ .reg .pred q; mbarrier.try_wait.parity.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"    \
                         : "=r"(done)                                                                                  \
                         : "r"(AT(p)), "r"(parity)                                                                     \
                         : "memory");                                                                                  \
        while (!done);                                                                                                 \
    } while (0)

//: clears_both 1 32 : other-array w
__global__ void clears_both(const int *in, int *out, int n)
{
    __shared__ int even[32], odd[32];
    for (int i = threadIdx.x; i < 64; i += 32)
        even[i] = 0; // @w
    __syncthreads();
    atomicAdd(threadIdx.x & 1 ? &odd[in[threadIdx.x] & 31] : &even[in[threadIdx.x] & 31], 1);
    __syncthreads();
    out[threadIdx.x] = even[threadIdx.x] + odd[threadIdx.x];
}

//: before_the_first 1 64 : other-array w
__global__ void before_the_first(const int *in, int *out, int n)
{
    __shared__ int left[64], right[64];
    int t = threadIdx.x;
    left[t] = in[t];
    __syncthreads();
    if (t < 32)
        right[t - 1] = left[63 - t]; // @w
    __syncthreads();
    out[t] = t < 31 ? right[t] : left[t];
}

//: adds_past_the_end 1 32 : other-array a
__global__ void adds_past_the_end(const int *in, int *out, int n)
{
    __shared__ int counts[32], more[32];
    int t = threadIdx.x;
    counts[t] = more[t] = 0;
    __syncthreads();
    atomicAdd(&counts[(in[t] & 31) + 16], 1); // @a
    __syncthreads();
    out[t] = counts[t] + more[t];
}

//: into_the_dynamic_ones 1 32 256 : other-array w
extern __shared__ int other_pool[];
__global__ void into_the_dynamic_ones(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t * 2] = in[t]; // @w
    other_pool[32 + t] = t;
    __syncthreads();
    out[t] = t < 16 ? s[2 * t] : other_pool[2 * t - 32] + other_pool[32 + t];
}

//: copied_barrier 1 32 : no-mbarrier u, no-mbarrier w
__global__ void copied_barrier(const int *in, int *out, int n)
{
    __shared__ unsigned long long made, copy;
    __shared__ int s[32];
    if (threadIdx.x == 0) {
        INIT(&made, 32);
        copy = *(volatile unsigned long long *)&made;
    }
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    ARRIVE(&copy);   // @u
    AWAIT(&copy, 0); // @w
    out[threadIdx.x] = s[31 - threadIdx.x];
}

//: barrier_overwritten 1 32 : no-mbarrier u, no-mbarrier w
__global__ void barrier_overwritten(const int *in, int *out, int n)
{
    __shared__ unsigned long long bar;
    __shared__ int s[32];
    if (threadIdx.x == 0) {
        INIT(&bar, 32);
        unsigned long long was = *(volatile unsigned long long *)&bar;
        *(volatile unsigned long long *)&bar = was;
    }
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    ARRIVE(&bar);   // @u
    AWAIT(&bar, 0); // @w
    out[threadIdx.x] = s[31 - threadIdx.x];
}

//: barrier_by_hand 1 64 : no-mbarrier u, no-mbarrier w
__global__ void barrier_by_hand(const int *in, int *out, int n)
{
    __shared__ unsigned long long bars[2];
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&bars[0], 64);
        bars[1] = *(volatile unsigned long long *)&bars[0];
    }
    s[t] = in[t];
    __syncthreads();
    ARRIVE(&bars[0]);
    AWAIT(&bars[0], 0);
    out[t] = s[63 - t];
    ARRIVE(&bars[1]);   // @u
    AWAIT(&bars[1], 0); // @w
    s[t] = out[t];
}

//: made_in_each_step 1 32 : mbarrier-made-twice m
__global__ void made_in_each_step(const int *in, int *out, int n)
{
    __shared__ unsigned long long bar;
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 3; i++) {
        __syncthreads();
        if (t == 0)
            INIT(&bar, 32); // @m
        s[t] = in[t] + i;
        __syncthreads();
        ARRIVE(&bar);
        AWAIT(&bar, 0);
        sum += s[31 - t];
    }
    out[t] = sum;
}
