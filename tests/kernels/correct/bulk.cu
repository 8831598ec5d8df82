// Bulk copies that end in time, and mbarriers that know of all bytes.
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

//: waits_until_read 1 64 :
__global__ void waits_until_read(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s);
        CLOSE;
        WAIT_READ(0);
    }
}

//: last_of_a_ring_waits 1 64 :
__global__ void last_of_a_ring_waits(const int *in, int *out, int n)
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
            COPY_OUT(out + k * 64, s[k & 1]);
            CLOSE;
        }
    }
    if (t == 0)
        WAIT(0);
}

//: each_warp_stores_its_own 1 64 :
__global__ void each_warp_stores_its_own(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    int t = threadIdx.x, w = t / 32;
    s[w][t % 32] = in[t];
    s[w][t % 32 + 32] = in[t + 64];
    SHOW;
    __syncwarp();
    if (t % 32 == 0) {
        COPY_OUT(out + w * 64, s[w]);
        CLOSE;
        WAIT_READ(0);
    }
}

//: copies_before_announcing 1 32 :
__global__ void copies_before_announcing(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0)
        INIT(b, 1);
    __syncwarp();
    for (int k = 0; k < 3; k++) {
        if (t == 0) {
            COPY_IN(s, in + k * 4, 128, b);
            COPY_IN(s + 32, in + 32, 128, b);
            EXPECT(b, 256);
        }
        __syncwarp();
        AWAIT(b, k & 1);
        out[t] = s[t] + s[t + 32];
        __syncwarp();
    }
}

//: two_who_announce 1 64 :
__global__ void two_who_announce(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    if (t == 0)
        INIT(b, 2);
    __syncthreads();
    if (t % 32 == 0) {
        EXPECT(b, 128);
        COPY_IN(s + t, in + t, 128, b);
    }
    AWAIT(b, 0);
    out[t] = s[63 - t];
}

//: one_lane_waits_and_tells 1 64 :
__global__ void one_lane_waits_and_tells(const int *in, int *out, int n)
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
        COPY_IN(s, in, 256, b);
    }
    if (t % 32 == 0)
        AWAIT(b, 0);
    __syncwarp();
    out[t] = s[63 - t];
}

//: one_lane_gives_back 1 64 :
__global__ void one_lane_gives_back(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long full, empty;
    unsigned f = (unsigned)__cvta_generic_to_shared(&full), e = (unsigned)__cvta_generic_to_shared(&empty);
    int t = threadIdx.x;
    if (t == 0) {
        INIT(f, 1);
        INIT(e, 2);
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        if (t == 0) {
            if (k > 0)
                AWAIT(e, (k - 1) & 1);
            EXPECT(f, 256);
            COPY_IN(s, in + k * 64, 256, f);
        }
        AWAIT(f, k & 1);
        out[k * 64 + t] = s[63 - t];
        __syncwarp();
        if (t % 32 == 0)
            asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(e) : "memory");
    }
}

//: all_lanes_shuffle_before_one_gives_back 1 64 :
__global__ void all_lanes_shuffle_before_one_gives_back(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 0)
        INIT(b, 2);
    __syncthreads();
    int sum = __shfl_xor_sync(0xffffffffu, s[t ^ 32], 1);
    if (t % 32 == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
    AWAIT(b, 0);
    s[t] = sum;
    out[t] = sum;
}
