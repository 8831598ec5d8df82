// Copies that are handed to an mbarrier (cp.async.mbarrier.arrive), and read by who has not waited for its phase.
#define ADDRESS(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ADDRESS(b)), "r"(n) : "memory")
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(ADDRESS(to)), "l"(from) : "memory")
#define HAND(b) asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(ADDRESS(b)) : "memory")
#define HAND_MORE(b) asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(ADDRESS(b)) : "memory")
#define ARRIVE(b) asm volatile("{ .reg .b64 x; mbarrier.arrive.shared.b64 x, [%0]; }" ::"r"(ADDRESS(b)) : "memory")
#define AWAIT(b, p) asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(ADDRESS(b)), "r"(p) : "memory")
#define ASK(b, p) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%0], %1; }" ::"r"(ADDRESS(b)), "r"(p) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")
#define NAMED_ARRIVE(id, n) asm volatile("bar.arrive " #id ", " #n ";" ::: "memory")
#define NAMED_SYNC(id, n) asm volatile("bar.sync " #id ", " #n ";" ::: "memory")
#define SLOWLY(n)                                                                                                      \
    for (int i = 0; i < n; i++)                                                                                        \
    asm volatile("{ .reg .b32 x; ld.global.b32 x, [%0]; }" ::"l"(in + i) : "memory")

//: only_its_thread_waits 1 64 : missing-barrier-after-wait c r
__global__ void only_its_thread_waits(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    COPY(&s[t], in + t); // @c
    HAND(&full);
    WAIT_ALL;
    out[t] = s[63 - t]; // @r
    AWAIT(&full, 0);
}

//: reads_before_the_phase_ends 1 64 : missing-wait c r
__global__ void reads_before_the_phase_ends(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    COPY(&s[t], in + t); // @c
    HAND(&full);
    out[t] = s[63 - t]; // @r
    AWAIT(&full, 0);
}

//: copied_after_it_was_handed_over 1 64 : missing-barrier-after-wait c r
__global__ void copied_after_it_was_handed_over(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64], late[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    COPY(&s[t], in + t);
    HAND(&full);
    COPY(&late[t], in + t); // @c
    WAIT_ALL;
    AWAIT(&full, 0);
    out[t] = s[63 - t];
    out[t] += late[63 - t]; // @r
}

//: copied_after_it_was_handed_over_and_not_waited 1 64 : missing-wait c r
__global__ void copied_after_it_was_handed_over_and_not_waited(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64], late[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    COPY(&s[t], in + t);
    HAND(&full);
    COPY(&late[t], in + t); // @c
    AWAIT(&full, 0);
    out[t] = s[63 - t];
    out[t] += late[63 - t]; // @r
}

// The phase before the first has always ended; this one needs the readers' arrivals, too.
//: waits_for_the_phase_before 1 96 : missing-wait c r
__global__ void waits_for_the_phase_before(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, started;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 96);
        INIT(&started, 32);
    }
    __syncthreads();
    if (t < 32) {
        COPY(&s[lane], in + lane); // @c
        HAND(&full);
        ARRIVE(&started);
        return;
    }
    AWAIT(&started, 0);
    AWAIT(&full, 1);
    out[t] = s[31 - lane]; // @r
    ARRIVE(&full);
}

//: waits_for_the_phase_before_its_threads_for_all 1 96 : missing-barrier-after-wait c r
__global__ void waits_for_the_phase_before_its_threads_for_all(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, started;
    __shared__ int s[2][32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 96);
        INIT(&started, 32);
    }
    __syncthreads();
    if (t < 32) {
        COPY(&s[0][lane], in + lane);
        HAND(&full);
        AWAIT(&full, 0);
        COPY(&s[1][lane], in + lane + 32); // @c
        HAND(&full);
        ARRIVE(&started);
        WAIT_ALL;
        return;
    }
    ARRIVE(&full);
    AWAIT(&started, 0);
    AWAIT(&full, 0);
    out[t] = s[0][31 - lane];
    SLOWLY(20);
    out[t] += s[1][31 - lane]; // @r
    ARRIVE(&full);
}

//: waits_at_the_other_mbarrier 1 96 : missing-wait c r
__global__ void waits_at_the_other_mbarrier(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[2];
    __shared__ int s[2][32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 2)
        INIT(&full[t], 32);
    __syncthreads();
    if (t < 32) {
        COPY(&s[0][lane], in + lane);
        HAND(&full[0]);
        COPY(&s[1][lane], in + lane + 32); // @c
        HAND(&full[1]);
        return;
    }
    AWAIT(&full[0], 0);
    out[t] = s[0][31 - lane];
    out[t] += s[1][31 - lane]; // @r
    AWAIT(&full[1], 0);
}

// The first lane's arrival says nothing of what the others copied.
//: one_lane_hands_over 1 64 : missing-wait c r
__global__ void one_lane_hands_over(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0)
        INIT(&full, 1);
    __syncthreads();
    if (t < 32) {
        COPY(&s[lane], in + lane); // @c
        if (lane == 0)
            HAND(&full);
        return;
    }
    AWAIT(&full, 0);
    out[t] = s[31 - lane]; // @r
}

// The second warp has waited, the third one only knows that the copies were asked for.
//: another_warp_waits 1 96 : missing-wait c r
__global__ void another_warp_waits(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, started;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 32);
        INIT(&started, 32);
    }
    __syncthreads();
    if (t < 32) {
        COPY(&s[lane], in + lane); // @c
        HAND(&full);
        ARRIVE(&started);
    } else if (t < 64) {
        AWAIT(&full, 0);
        out[t] = s[31 - lane];
    } else {
        AWAIT(&started, 0);
        SLOWLY(20);
        out[t] = s[31 - lane]; // @r
    }
}

// It throttles itself, but does not wait until the first stage is read.
//: refills_before_it_is_read 1 96 : async-overwrite r c
__global__ void refills_before_it_is_read(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[3];
    __shared__ int s[2][32];
    int t = threadIdx.x, lane = t % 32, v = 0;
    if (t < 3)
        INIT(&full[t], 32);
    __syncthreads();
    if (t < 32) {
#pragma unroll 1
        for (int i = 0; i < 3; i++) {
            COPY(&s[i & 1][lane], in + i * 32 + lane); // @c
            HAND(&full[i]);
            COMMIT;
            WAIT(1);
        }
        return;
    }
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        AWAIT(&full[i], 0);
        v += s[i & 1][31 - lane]; // @r
    }
    out[t] = v;
}

//: counted_too_late 1 64 : missing-wait c r
__global__ void counted_too_late(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 2);
    __syncthreads();
    COPY(&s[t], in + t); // @c
    HAND_MORE(&full);
    if (t % 32 == 0) // the phase may have ended before other lanes added their copies to it
        ARRIVE(&full);
    AWAIT(&full, 0);
    out[t] = s[63 - t]; // @r
}

//: used_by_another_warp_before_it_is_surely_made 1 64 : race m u
__global__ void used_by_another_warp_before_it_is_surely_made(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 32); // @m
    if (t >= 32) {
        SLOWLY(16);
        ARRIVE(&full); // @u
        AWAIT(&full, 0);
    }
    out[t] = in[t];
}

//: used_by_its_warp_before_it_is_surely_made 1 32 : warp-race m u
__global__ void used_by_its_warp_before_it_is_surely_made(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 32); // @m
    ARRIVE(&full); // @u
    AWAIT(&full, 0);
    out[t] = in[t];
}

//: waited_for_before_it_is_surely_made 1 64 : race m u
__global__ void waited_for_before_it_is_surely_made(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1); // @m
        ARRIVE(&full);
    }
    if (t >= 32) {
        SLOWLY(16);
        AWAIT(&full, 0); // @u
    }
    out[t] = in[t];
}

//: counted_barrier_that_the_ended_did_not_meet 1 64 : race w r
__global__ void counted_barrier_that_the_ended_did_not_meet(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t]; // @w
        return;
    }
    SLOWLY(16);
    NAMED_SYNC(1, 32);
    out[t - 32] = s[t ^ 39]; // @r
}

//: unmade_while_others_may_ask 1 64 : race m u
__global__ void unmade_while_others_may_ask(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    ARRIVE(&full);
    ASK(&full, 0); // @u
    if (t == 0) {
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(ADDRESS(&full)) : "memory"); // @m
    }
    out[t] = in[t];
}

//: made_anew_while_others_may_ask 1 64 : race m u, mbarrier-made-twice m
__global__ void made_anew_while_others_may_ask(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    ARRIVE(&full);
    ASK(&full, 0); // @u
    if (t == 0) {
        INIT(&full, 64); // @m
    }
    out[t] = in[t];
}

//: waits_for_a_parity_that_was_there_before 1 64 : race w r
__global__ void waits_for_a_parity_that_was_there_before(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[3][32];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < 3; i++) {
            s[i][t] = in[i * 32 + t]; // @w
            ARRIVE(&full);
            AWAIT(&full, i & 1);
        }
    } else {
        SLOWLY(16);
        AWAIT(&full, 0);
        out[t - 32] = s[2][t ^ 39]; // @r
    }
}
