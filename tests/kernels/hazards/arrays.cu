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

#define NAMED(op, id, count) asm volatile(op " %0, %1;" ::"r"(id), "n"(count) : "memory")

//: counted_twice 1 96 : arrives-twice a
__global__ void counted_twice(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t < 32) {
#pragma unroll 1
        for (int i = 0; i < 2; i++)
            NAMED("bar.arrive", 1, 96); // @a, in place of the second warp
    } else if (t >= 64) {
        NAMED("bar.sync", 1, 96);
    }
    out[t] = in[t];
}

// Two warps give four places back through two barriers: one that is two steps ahead is counted twice. That none is here
// is told by atomics, which order nothing.
#define PACE(done, i)                                                                                                  \
    do {                                                                                                               \
        while (lane == 0 && atomicAdd(&(done)[t < 64], 0) < (i)-1)                                                     \
            ;                                                                                                          \
        __syncwarp();                                                                                                  \
    } while (0)

//: two_names_for_four 1 96 : arrives-twice a
__global__ void two_names_for_four(const int *in, int *out, int n)
{
    __shared__ unsigned long long full[4];
    __shared__ int s[4][32], done[2];
    int t = threadIdx.x, lane = t % 32, sum = 0;
    if (t < 4)
        INIT(&full[t], 32);
    if (t < 2)
        done[t] = 0;
    __syncthreads();
    for (int i = 0; i < 12 && t < 32; i++) {
        if (i >= 4)
            NAMED("bar.sync", 1 + i % 2, 96);
        if (i < 8) {
            s[i % 4][lane] = in[lane] + i;
            ARRIVE(&full[i % 4]);
        }
    }
#pragma unroll 1
    for (int i = 0; i < 8 && t >= 32; i++) {
        PACE(done, i);
        AWAIT(&full[i % 4], i / 4 & 1);
        sum += s[i % 4][31 - lane];
        NAMED("bar.arrive", 1 + i % 2, 96); // @a
        if (lane == 0)
            atomicAdd(&done[t >= 64], 1);
    }
    out[t] = sum;
}

//: two_mbarriers_for_four 1 96 : arrives-twice a
__global__ void two_mbarriers_for_four(const int *in, int *out, int n)
{
    __shared__ unsigned long long full[4], empty[2];
    __shared__ int s[4][32], done[2];
    int t = threadIdx.x, lane = t % 32, sum = 0;
    if (t < 4)
        INIT(&full[t], 32);
    if (t < 2) {
        INIT(&empty[t], 64);
        done[t] = 0;
    }
    __syncthreads();
    for (int i = 0; i < 4 && t < 32; i++) {
        s[i][lane] = in[lane] + i;
        ARRIVE(&full[i]);
    }
#pragma unroll 1
    for (int i = 0; i < 4 && t >= 32; i++) {
        PACE(done, i);
        AWAIT(&full[i], 0);
        sum += s[i][31 - lane];
        ARRIVE(&empty[i % 2]); // @a
        if (lane == 0)
            atomicAdd(&done[t >= 64], 1);
    }
    out[t] = sum;
}

//: made_by_each_warp 1 64 : mbarrier-made-twice m
__global__ void made_by_each_warp(const int *in, int *out, int n)
{
    __shared__ unsigned long long bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 32 == 0)
        INIT(&bar, 64); // @m
    s[t] = in[t];
    __syncthreads();
    ARRIVE(&bar);
    AWAIT(&bar, 0);
    out[t] = s[63 - t];
}

//: made_for_half_of_them 1 64 : mbarrier-made-twice m
__global__ void made_for_half_of_them(const int *in, int *out, int n)
{
    __shared__ unsigned long long bar;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 64);
    s[t] = in[t];
    __syncthreads();
    ARRIVE(&bar);
    AWAIT(&bar, 0);
    int found = s[63 - t];
    __syncthreads();
    if (t == 0)
        INIT(&bar, 32); // @m
    __syncthreads();
    if (t < 32) {
        s[t] = found;
        ARRIVE(&bar);
        AWAIT(&bar, 0);
        found += s[31 - t];
    }
    out[t] = found;
}
