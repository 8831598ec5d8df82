// Bulk copies from shared memory: tiles that they may not see yet, and tiles that are overwritten under them.

#define SHOW asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define CLOSE asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
#define WAIT(n) asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define COPY_OUT(to, s)                                                                                                \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to),                            \
                 "r"((unsigned)__cvta_generic_to_shared(s))                                                            \
                 : "memory")

//: never_shown 1 64 : missing-proxy-fence c w
__global__ void never_shown(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT(0);
    }
}

//: shown_too_early 1 64 : missing-proxy-fence c w
__global__ void shown_too_early(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    SHOW;
    s[t] = in[t]; // @w
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT(0);
    }
}

//: shows_only_its_own 1 64 : missing-proxy-fence c w
__global__ void shows_only_its_own(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    if (t == 0)
        SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT(0);
    }
}

//: shows_global_memory_only 1 64 : missing-proxy-fence c w
__global__ void shows_global_memory_only(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    asm volatile("fence.proxy.async.global;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT(0);
    }
}

//: changed_after_it_was_shown 1 64 : missing-proxy-fence c w
__global__ void changed_after_it_was_shown(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        s[5] = n; // @w
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT(0);
    }
}

//: added_without_a_fence 1 64 : missing-proxy-fence c w
__global__ void added_without_a_fence(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    out[64 + t] = n;
    s[t] = in[t]; // @w
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 256;" ::"l"(out + 64), "r"((unsigned)__cvta_generic_to_shared(s)) : "memory"); // @c
        CLOSE;
        WAIT(0);
    }
}

//: next_tile_too_early 1 64 : bulk-source-overwrite w c
__global__ void next_tile_too_early(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        s[t] = in[i * 64 + t]; // @w
        SHOW;
        __syncthreads();
        if (t == 0) {
            COPY_OUT(out + i * 64, s); // @c
            CLOSE;
        }
        __syncthreads();
    }
    if (t == 0)
        WAIT(0);
}

//: group_never_closed 1 64 : bulk-source-overwrite w c, exit-before-bulk-read c
__global__ void group_never_closed(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        WAIT_READ(0);
    }
    __syncthreads();
    s[t] = n; // @w
    __syncthreads();
    out[64 + t] = s[63 - t];
}

//: no_barrier_after_the_wait 1 64 : race c w
__global__ void no_barrier_after_the_wait(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    SHOW;
    __syncthreads();
    if (t == 0) {
        COPY_OUT(out, s); // @c
        CLOSE;
        WAIT_READ(0);
    }
    s[t] = n; // @w
    __syncthreads();
    out[64 + t] = s[63 - t];
}

//: another_thread_waits 1 64 : bulk-source-overwrite w c
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
        WAIT_READ(0);
    __syncthreads();
    s[t] = n; // @w
    __syncthreads();
    out[64 + t] = s[63 - t];
    if (t == 0)
        WAIT(0);
}

//: one_group_too_many_left 1 64 : bulk-source-overwrite w c
__global__ void one_group_too_many_left(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        s[i % 2][t] = in[i * 64 + t]; // @w
        SHOW;
        __syncthreads();
        if (t == 0) {
            COPY_OUT(out + i * 64, s[i % 2]); // @c
            CLOSE;
            WAIT_READ(2);
        }
        __syncthreads();
    }
    if (t == 0)
        WAIT(0);
}

//: next_load_into_a_store 1 64 : bulk-source-overwrite l c
__global__ void next_load_into_a_store(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar), a = (unsigned)__cvta_generic_to_shared(s);
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
        for (int i = 0; i < 3; i++) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(a), "l"(in + i * 64), "r"(b) : "memory"); // @l
            asm volatile("{ .reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra LOOP%=; }" ::"r"(b), "r"(i & 1) : "memory");
            COPY_OUT(out + i * 64, s); // @c
            CLOSE;
        }
        WAIT(0);
    }
}
