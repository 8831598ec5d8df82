// Bulk copies from shared memory, each shown what threads wrote and waited for before its tile is used again.

#define SHOW asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define CLOSE asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
#define WAIT(n) asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define COPY_OUT(to, s)                                                                                                \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to),                            \
                 "r"((unsigned)__cvta_generic_to_shared(s))                                                            \
                 : "memory")

//: all_show_their_own 3 64 :
__global__ void all_show_their_own(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out + blockIdx.x * 64, s);
        CLOSE;
        WAIT(0);
    }
    out[1024 + blockIdx.x * 64 + t] = s[63 - t];
}

//: one_shows_all_of_them 1 64 :
__global__ void one_shows_all_of_them(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t == 0) {
        asm volatile("fence.proxy.async;" ::: "memory");
        COPY_OUT(out, s);
        CLOSE;
        WAIT(0);
    }
}

//: waited_and_met 1 64 :
__global__ void waited_and_met(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 40; i++) {
        s[t] = in[i * 64 + t];
        SHOW;
        __syncthreads();
        if (t == 0) {
            COPY_OUT(out + i * 64, s);
            CLOSE;
            WAIT_READ(0);
        }
        __syncthreads();
    }
}

//: two_tiles_in_turn 1 64 :
__global__ void two_tiles_in_turn(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < 40; i++) {
        if (t == 0)
            WAIT_READ(1);
        __syncthreads();
        s[i % 2][t] = in[i * 64 + t];
        SHOW;
        __syncthreads();
        if (t == 0) {
            COPY_OUT(out + i * 64, s[i % 2]);
            CLOSE;
        }
    }
    if (t == 0)
        WAIT_READ(0);
}

//: each_warp_its_own_tile 1 64 :
__global__ void each_warp_its_own_tile(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    int w = threadIdx.x / 32, t = threadIdx.x % 32;
    for (int i = 0; i < 3; i++) {
        s[w][t] = in[i * 128 + w * 64 + t];
        s[w][t + 32] = n;
        SHOW;
        __syncwarp();
        if (t == 0) {
            COPY_OUT(out + i * 128 + w * 64, s[w]);
            CLOSE;
            WAIT_READ(0);
        }
        __syncwarp();
    }
}

//: a_warp_that_only_copies 1 96 :
__global__ void a_warp_that_only_copies(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        if (t < 64) {
            s[t] = in[i * 64 + t];
            SHOW;
            asm volatile("bar.arrive 1, 96;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 96;" ::: "memory");
            if (t == 64) {
                COPY_OUT(out + i * 64, s);
                CLOSE;
                WAIT_READ(0);
            }
        }
        __syncthreads();
    }
}

//: told_at_an_mbarrier 1 96 :
__global__ void told_at_an_mbarrier(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(b) : "memory");
    __syncthreads();
    if (t < 64) {
        s[t] = in[t];
        SHOW;
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
    } else if (t == 64) {
        asm volatile("{ .reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra LOOP%=; }" ::"r"(b) : "memory");
        COPY_OUT(out, s);
        CLOSE;
        WAIT(0);
    }
}

//: brought_and_taken_away_in_bulk 1 64 :
__global__ void brought_and_taken_away_in_bulk(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar), a = (unsigned)__cvta_generic_to_shared(s);
    s[t] = n;
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
        SHOW;
        for (int i = 0; i < 3; i++) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(a), "l"(in + i * 64), "r"(b) : "memory");
            asm volatile("{ .reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra LOOP%=; }" ::"r"(b), "r"(i & 1) : "memory");
            COPY_OUT(out + i * 64, s);
            CLOSE;
            WAIT_READ(0);
        }
    }
}
