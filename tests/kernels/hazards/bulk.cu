// Bulk copies that their threads do not wait for, and bytes that no mbarrier was told of.
#define SHOW asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define CLOSE asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
#define WAIT(n) asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define COPY_OUT(to, s)                                                                                                \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to),                            \
                 "r"((unsigned)__cvta_generic_to_shared(s))                                                            \
                 : "memory")
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory")
#define EXPECT(b, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory")
#define COPY_IN(s, from, n, b) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(s)), "l"(from), "r"(n), "r"(b) : "memory")
#define AWAIT(b, p) asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(b), "r"(p) : "memory")

//: ends_at_once 1 64 : exit-before-bulk-read c
__global__ void ends_at_once(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
    }
}

//: never_closed 1 64 : exit-before-bulk-read c
__global__ void never_closed(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        WAIT(0);
    }
}

//: waits_for_all_but_one 1 64 : exit-before-bulk-read c
__global__ void waits_for_all_but_one(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0)
            WAIT_READ(1);
        __syncthreads();
        s[k & 1][t] = in[t] + k;
        SHOW;
        __syncthreads();
        if (t == 0) {
            COPY_OUT(out + k * 64, s[k & 1]); // @c
            CLOSE;
        }
    }
    if (t == 0)
        WAIT_READ(1);
}

//: another_thread_waits 1 64 : exit-before-bulk-read c
__global__ void another_thread_waits(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
    }
    if (t == 32)
        WAIT(0);
}

//: half_of_it_announced 1 32 : expect-tx-too-few c
__global__ void half_of_it_announced(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        COPY_IN(s, in, 128, b);
        COPY_IN(s + 32, in + 32, 128, b); // @c
        EXPECT(b, 128);
    }
    __syncwarp();
    AWAIT(b, 0);
    out[t] = s[t] + s[t + 32];
}

//: nothing_announced 1 32 : expect-tx-too-few c
__global__ void nothing_announced(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        COPY_IN(s, in, 256, b); // @c
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
    }
    __syncwarp();
    AWAIT(b, 0);
    out[t] = s[t] + s[t + 32];
}

//: announced_first_half 1 32 : expect-tx-too-few c
__global__ void announced_first_half(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        EXPECT(b, 128);
        COPY_IN(s, in, 128, b);
        COPY_IN(s + 32, in + 32, 128, b); // @c
    }
    __syncwarp();
    AWAIT(b, 0);
    out[t] = s[t] + s[t + 32];
}

//: loads_ahead 1 64 : exit-before-bulk-write c
__global__ void loads_ahead(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    __shared__ alignas(8) unsigned long long bars[2];
    int t = threadIdx.x;
    for (int k = 0; k < 2 && t == 0; k++)
        INIT((unsigned)__cvta_generic_to_shared(&bars[k]), 1);
    __syncthreads();
    for (int k = 0; k < 2 && t == 0; k++) {
        EXPECT((unsigned)__cvta_generic_to_shared(&bars[k]), 256);
        COPY_IN(s[k], in + k * 64, 256, (unsigned)__cvta_generic_to_shared(&bars[k])); // @c
    }
    AWAIT((unsigned)__cvta_generic_to_shared(&bars[0]), 0);
    out[t] = s[0][t];
}

//: next_round_comes 1 64 : exit-before-bulk-write c
__global__ void next_round_comes(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        EXPECT(b, 256);
        COPY_IN(s, in, 256, b);
    }
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        AWAIT(b, k & 1);
        out[k * 64 + t] = s[t];
        __syncthreads();
        if (t == 0) {
            EXPECT(b, 256);
            COPY_IN(s, in + (k + 1) * 64, 256, b); // @c
        }
    }
}

//: nobody_looks 1 32 : exit-before-bulk-write c
__global__ void nobody_looks(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        EXPECT(b, 256);
        COPY_IN(s, in, 256, b); // @c
    }
    out[t] = t;
}

//: one_lane_waits 1 64 : missing-barrier-after-wait r w
__global__ void one_lane_waits(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0)
        INIT(b, 1);
    __syncthreads();
    if (t == 0) {
        EXPECT(b, 256);
        COPY_IN(s, in, 256, b); // @w
    }
    if (t % 32 == 0)
        AWAIT(b, 0);
    out[t] = s[t]; // @r
}

//: one_lane_arrives 1 64 : race w r
__global__ void one_lane_arrives(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 0)
        INIT(b, 2);
    __syncthreads();
    out[t] = s[t ^ 32]; // @r
    if (t % 32 == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
    AWAIT(b, 0);
    s[t] = t; // @w
}

//: announced_behind_the_arrival 1 64 : expect-tx-too-few e
__global__ void announced_behind_the_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(b, 128);
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 128;" ::"r"(b) : "memory"); // @e
        COPY_IN(s, in, 128, b);
        COPY_IN(s + 32, in + 32, 128, b);
    }
    AWAIT(b, 0);
    out[t] = s[t];
}
