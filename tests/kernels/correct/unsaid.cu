// The same as in hazards/unsaid.cu, said.

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(p, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(p)), "r"(n) : "memory")
#define ARRIVE(p) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(AT(p)) : "memory")
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
#define EXPECT(p, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(AT(p)), "r"(n) : "memory")
#define BRING(to, from, n, p)                                                                                          \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(      \
                     AT(to)),                                                                                          \
                 "l"(from), "r"(n), "r"(AT(p))                                                                         \
                 : "memory")

//: stores_and_the_warp_meets 1 64 :
__global__ void stores_and_the_warp_meets(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 2);
    __syncthreads();
    s[t] = in[t];
    int all = __shfl_xor_sync(0xffffffffu, t, 1);
    if (all == n + 1000)
        out[0] = 1;
    __syncwarp();
    if (t % 32 == 0)
        ARRIVE(&bar);
    AWAIT(&bar, 0);
    out[t] = s[63 - t];
}

//: each_fences_and_the_warp_meets 1 64 :
__global__ void each_fences_and_the_warp_meets(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ unsigned warps;
    int t = threadIdx.x;
    if (t == 0)
        warps = 0;
    __syncthreads();
    s[t] = in[t];
    __threadfence_block();
    __syncwarp();
    if (t % 32 == 0)
        atomicAdd(&warps, 1);
    while (*(volatile unsigned *)&warps < 2)
        ;
    __threadfence_block();
    out[t] = s[63 - t];
}

//: words_behind_fences 1 64 :
__global__ void words_behind_fences(const int *in, int *out, int n)
{
    __shared__ volatile int first, second;
    __shared__ unsigned warps;
    int t = threadIdx.x;
    if (t == 0)
        warps = 0;
    __syncthreads();
    if (t == 0)
        first = in[0];
    if (t == 32)
        second = in[32];
    __threadfence_block();
    if (t % 32 == 0)
        atomicAdd(&warps, 1);
    if (t == 0) {
        while (*(volatile unsigned *)&warps < 2)
            ;
        __threadfence_block();
        out[0] = first + second;
    }
}

//: zeros_shown_to_the_copy 1 64 :
__global__ void zeros_shown_to_the_copy(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 1);
    s[t] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        EXPECT(&bar, 128);
        BRING(s, in, 128, &bar);
    }
    AWAIT(&bar, 0);
    out[t] = s[63 - t];
}

//: first_arrival_is_for_another 1 64 :
__global__ void first_arrival_is_for_another(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], left;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&left, 32);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 32);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < 6 && lane == 0; i++) {
            AWAIT(&empty[i % 2], (i / 2 + 1) % 2);
            EXPECT(&full[i % 2], 128);
            BRING(tile[i % 2], in + 32 * i, 128, &full[i % 2]);
        }
        return;
    }
    for (int i = 0; i < 6; i++) {
        AWAIT(&full[i % 2], i / 2 % 2);
        int x = tile[i % 2][31 - lane];
        ARRIVE(&left);
        out[32 * i + lane] = x;
        ARRIVE(&empty[i % 2]);
    }
}

//: flags_that_tell_what_to_do 1 64 :
__global__ void flags_that_tell_what_to_do(const int *in, int *out, int n)
{
    __shared__ volatile int enough;
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        enough = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        if (enough)
            break;
        sum += in[i];
        if (t == 40 && sum > 6)
            enough = 1;
    }
    out[t] = sum;
}
