// What one lane says for its warp, though nothing has made the others' stores known to it; words past all caches that
// nobody ordered; stores under a bulk copy; arrivals that mean another place.

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

//: stores_before_a_shuffle 1 64 : race r w
__global__ void stores_before_a_shuffle(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 2);
    __syncthreads();
    s[t] = in[t]; // @w
    int all = __shfl_xor_sync(0xffffffffu, t, 1);
    if (all == n + 1000)
        out[0] = 1;
    if (t % 32 == 0)
        ARRIVE(&bar);
    AWAIT(&bar, 0);
    out[t] = s[63 - t]; // @r
}

//: stores_before_a_vote 1 64 : race r w
__global__ void stores_before_a_vote(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 2);
    __syncthreads();
    s[t] = in[t]; // @w
    if (!__all_sync(0xffffffffu, t < n + 1000))
        out[0] = 1;
    if (t % 32 == 0)
        ARRIVE(&bar);
    AWAIT(&bar, 0);
    out[t] = s[63 - t]; // @r
}

//: each_fences_and_one_speaks 1 64 : race r w
__global__ void each_fences_and_one_speaks(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ unsigned warps;
    int t = threadIdx.x;
    if (t == 0)
        warps = 0;
    __syncthreads();
    s[t] = in[t]; // @w
    __threadfence_block();
    if (t % 32 == 0)
        atomicAdd(&warps, 1);
    while (*(volatile unsigned *)&warps < 2)
        ;
    __threadfence_block();
    out[t] = s[63 - t]; // @r
}

//: words_in_place_of_an_array 1 64 : race r w
__global__ void words_in_place_of_an_array(const int *in, int *out, int n)
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
        second = in[32]; // @w
    if (t % 32 == 0)
        atomicAdd(&warps, 1);
    if (t == 0) {
        while (*(volatile unsigned *)&warps < 2)
            ;
        out[0] = first + second; // @r
    }
}

//: zeros_under_a_copy 1 64 : missing-proxy-fence c w
__global__ void zeros_under_a_copy(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 1);
    s[t] = 0; // @w
    __syncthreads();
    if (t == 0) {
        EXPECT(&bar, 128);
        BRING(s, in, 128, &bar); // @c
    }
    AWAIT(&bar, 0);
    out[t] = s[63 - t];
}

//: another_arrival_behind_the_use 1 64 : copy-overtakes-load c r
__global__ void another_arrival_behind_the_use(const int *in, int *out, int n)
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
            BRING(tile[i % 2], in + 32 * i, 128, &full[i % 2]); // @c
        }
        return;
    }
    for (int i = 0; i < 6; i++) {
        AWAIT(&full[i % 2], i / 2 % 2);
        int x = tile[i % 2][31 - lane]; // @r
        ARRIVE(&empty[i % 2]);
        out[32 * i + lane] = x;
        ARRIVE(&left);
    }
}

//: read_for_read_only_data 1 64 : written-read-only r w
__global__ void read_for_read_only_data(const int *in, int *out, int n)
{
    int t = threadIdx.x, x;
    out[t] = in[t]; // @w
    __syncthreads();
    asm volatile("ldu.global.s32 %0, [%1];" : "=r"(x) : "l"(__cvta_generic_to_global(out + 63 - t)) : "memory"); // @r
    out[64 + t] = x;
}
