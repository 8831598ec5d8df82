// Copies that are handed to an mbarrier (cp.async.mbarrier.arrive), and known to be complete in another way besides.
#define ADDRESS(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ADDRESS(b)), "r"(n) : "memory")
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(ADDRESS(to)), "l"(from) : "memory")
#define HAND(b) asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(ADDRESS(b)) : "memory")
#define HAND_MORE(b) asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(ADDRESS(b)) : "memory")
#define ARRIVE(b) asm volatile("{ .reg .b64 x; mbarrier.arrive.shared.b64 x, [%0]; }" ::"r"(ADDRESS(b)) : "memory")
#define AWAIT(b, p) asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(ADDRESS(b)), "r"(p) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")
#define NAMED_ARRIVE(id, n) asm volatile("bar.arrive " #id ", " #n ";" ::: "memory")
#define NAMED_SYNC(id, n) asm volatile("bar.sync " #id ", " #n ";" ::: "memory")
#define SLOWLY(n)                                                                                                      \
    for (int i = 0; i < n; i++)                                                                                        \
    asm volatile("{ .reg .b32 x; ld.global.b32 x, [%0]; }" ::"l"(in + i) : "memory")

//: each_waits_itself_too 1 64 :
__global__ void each_waits_itself_too(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x, v = 0;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        COPY(&s[t], in + i * 64 + t);
        HAND(&full);
        WAIT_ALL;
        AWAIT(&full, i & 1);
        v += s[63 - t];
        __syncthreads();
    }
    out[t] = v;
}

//: each_waits_itself_afterwards 1 64 :
__global__ void each_waits_itself_afterwards(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 64);
    __syncthreads();
    COPY(&s[t], in + t);
    HAND(&full);
    AWAIT(&full, 0);
    WAIT_ALL;
    out[t] = s[63 - t];
}

// The last warp brings three stages, and waits for all before it ends.
//: one_warp_fetches 1 96 :
__global__ void one_warp_fetches(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[3], empty[3];
    __shared__ int s[3][64];
    int t = threadIdx.x, lane = t % 32, v = 0;
    if (t < 3) {
        INIT(&full[t], 32);
        INIT(&empty[t], 64);
    }
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < 8; i++) {
            AWAIT(&empty[i % 3], i / 3 & 1 ^ 1);
            COPY(&s[i % 3][lane], in + i * 64 + lane);
            COPY(&s[i % 3][lane + 32], in + i * 64 + lane + 32);
            HAND(&full[i % 3]);
        }
        WAIT_ALL;
        return;
    }
    for (int i = 0; i < 8; i++) {
        AWAIT(&full[i % 3], i / 3 & 1);
        v += s[i % 3][63 - t];
        ARRIVE(&empty[i % 3]);
    }
    out[t] = v;
}

// It never has more than two groups under way.
//: one_warp_fetches_two_at_a_time 1 96 :
__global__ void one_warp_fetches_two_at_a_time(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[3], empty[3];
    __shared__ int s[3][64];
    int t = threadIdx.x, lane = t % 32, v = 0;
    if (t < 3) {
        INIT(&full[t], 32);
        INIT(&empty[t], 64);
    }
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < 8; i++) {
            AWAIT(&empty[i % 3], i / 3 & 1 ^ 1);
            COPY(&s[i % 3][lane], in + i * 64 + lane);
            COPY(&s[i % 3][lane + 32], in + i * 64 + lane + 32);
            HAND(&full[i % 3]);
            COMMIT;
            WAIT(1);
        }
        return;
    }
    for (int i = 0; i < 8; i++) {
        AWAIT(&full[i % 3], i / 3 & 1);
        v += s[i % 3][63 - t];
        ARRIVE(&empty[i % 3]);
    }
    out[t] = v;
}

// Without .noinc the arrival is one more, so that the phase takes one of the thread's own, too.
//: handed_without_noinc 1 96 :
__global__ void handed_without_noinc(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t >= 64) {
        COPY(&s[t - 64], in + t);
        HAND_MORE(&full);
        WAIT_ALL;
        ARRIVE(&full);
        return;
    }
    AWAIT(&full, 0);
    out[t] = s[31 - t % 32];
}

// Each reading warp waits at one of two mbarriers; the later of them is waited for first.
//: handed_to_two_mbarriers 1 96 :
__global__ void handed_to_two_mbarriers(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[2], first;
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full[0], 32);
        INIT(&full[1], 32);
        INIT(&first, 32);
    }
    __syncthreads();
    if (t >= 64) {
        COPY(&s[lane], in + lane);
        HAND(&full[0]);
        COPY(&s[lane + 32], in + lane + 32);
        HAND(&full[1]);
        WAIT_ALL;
    } else if (t >= 32) {
        AWAIT(&full[1], 0);
        out[t] = s[31 - lane] + s[63 - lane];
        ARRIVE(&first);
    } else {
        SLOWLY(20);
        AWAIT(&full[0], 0);
        out[t] = s[31 - lane];
    }
    AWAIT(&first, 0);
}

// The first warp comes after the wait by a barrier of the block, the second one by the mbarrier.
//: by_the_block_and_by_the_mbarrier 1 96 :
__global__ void by_the_block_and_by_the_mbarrier(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t >= 64) {
        COPY(&s[lane], in + lane);
        HAND(&full);
        WAIT_ALL;
    } else if (t >= 32) {
        AWAIT(&full, 0);
        out[t] = s[31 - lane];
    }
    __syncthreads();
    if (t < 32)
        out[t] = s[31 - lane];
    else if (t < 64)
        AWAIT(&full, 0);
}

//: by_a_named_barrier_and_by_the_mbarrier 1 96 :
__global__ void by_a_named_barrier_and_by_the_mbarrier(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t >= 64) {
        COPY(&s[lane], in + lane);
        HAND(&full);
        WAIT_ALL;
        NAMED_ARRIVE(1, 64);
        return;
    }
    if (t >= 32)
        NAMED_SYNC(1, 64);
    else
        AWAIT(&full, 0);
    out[t] = s[31 - lane];
}

// The last phase takes all that was handed over before.
//: waits_for_the_last_phase_only 1 96 :
__global__ void waits_for_the_last_phase_only(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[3][32];
    int t = threadIdx.x, lane = t % 32, v = 0;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t >= 64) {
        for (int i = 0; i < 3; i++) {
            COPY(&s[i][lane], in + i * 32 + lane);
            HAND(&full);
            WAIT_ALL;
            if (i < 2)
                AWAIT(&full, i & 1);
        }
        NAMED_ARRIVE(1, 96);
        return;
    }
    NAMED_SYNC(1, 96);
    AWAIT(&full, 0);
    for (int i = 0; i < 3; i++)
        v += s[i][31 - lane];
    out[t] = v;
}

// Only the second warp waits at the mbarrier; the first one is told by it.
//: told_by_one_who_waited 1 96 :
__global__ void told_by_one_who_waited(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0)
        INIT(&full, 32);
    __syncthreads();
    if (t >= 64) {
        COPY(&s[lane], in + lane);
        HAND(&full);
        WAIT_ALL;
        return;
    }
    if (t >= 32)
        AWAIT(&full, 0);
    NAMED_SYNC(1, 64);
    out[t] = s[31 - lane];
}

// A reader that comes long after: the copying warp has waited for many others since.
//: read_after_many_waits 1 96 :
__global__ void read_after_many_waits(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, late;
    __shared__ int s[32], more[32];
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 32);
        INIT(&late, 32);
    }
    __syncthreads();
    if (t >= 64) {
        COPY(&s[lane], in + lane);
        HAND(&full);
        WAIT_ALL;
        NAMED_ARRIVE(1, 64);
        for (int i = 0; i < 50; i++) {
            COPY(&more[lane], in + i * 32 + lane);
            WAIT_ALL;
        }
        out[t] = more[lane];
        ARRIVE(&late);
        return;
    }
    if (t >= 32)
        NAMED_SYNC(1, 64);
    else
        AWAIT(&full, 0);
    SLOWLY(100);
    out[t] = s[31 - lane];
    AWAIT(&late, 0);
}

//: counted_before_the_warp_arrives 1 64 :
__global__ void counted_before_the_warp_arrives(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&full, 2);
    __syncthreads();
    COPY(&s[t], in + t);
    HAND_MORE(&full);
    __syncwarp();
    if (t % 32 == 0)
        ARRIVE(&full);
    AWAIT(&full, 0);
    out[t] = s[63 - t];
}

//: counted_barrier_met_before_the_end 1 64 :
__global__ void counted_barrier_met_before_the_end(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        return;
    }
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t - 32] = s[t ^ 39];
}

//: made_anew_behind_a_barrier 1 64 :
__global__ void made_anew_behind_a_barrier(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    for (int round = 0; round < 3; round++) {
        if (t == 0)
            INIT(&full, 64);
        __syncthreads();
        ARRIVE(&full);
        AWAIT(&full, 0);
        __syncthreads();
        if (t == 0)
            asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(ADDRESS(&full)) : "memory");
    }
    out[t] = in[t];
}

//: waits_for_each_phase_in_turn 1 64 :
__global__ void waits_for_each_phase_in_turn(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, taken;
    __shared__ int s[3][32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 32);
        INIT(&taken, 32);
    }
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < 3; i++) {
            s[i][t] = in[i * 32 + t];
            ARRIVE(&full);
            if (i < 2)
                AWAIT(&taken, i);
        }
    } else {
        AWAIT(&full, 0);
        ARRIVE(&taken);
        AWAIT(&full, 1);
        ARRIVE(&taken);
        AWAIT(&full, 0);
        out[t - 32] = s[2][t ^ 39];
    }
}

//: takes_every_second_phase 1 96 :
__global__ void takes_every_second_phase(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full, taken, turn;
    __shared__ int s[3][32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 32);
        INIT(&taken, 32);
        INIT(&turn, 32);
    }
    __syncthreads();
    if (t < 32) {
        for (int i = 0; i < 3; i++) {
            s[i][t] = in[i * 32 + t];
            ARRIVE(&full);
            if (i < 2)
                AWAIT(&taken, i);
        }
    } else if (t < 64) {
        AWAIT(&full, 0);
        ARRIVE(&taken);
        AWAIT(&full, 1);
        ARRIVE(&taken);
        out[t - 32] = s[1][t ^ 39];
        ARRIVE(&turn);
    } else {
        AWAIT(&turn, 0);
        AWAIT(&full, 0);
        out[t - 32] = s[2][t ^ 71];
    }
}

//: one_mbarrier_as_a_token 1 64 :
__global__ void one_mbarrier_as_a_token(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t == 0)
        INIT(&bar, 32);
    __syncthreads();
    for (int i = 0; i < 3; i++)
        if (t < 32) {
            s[t] = in[i * 32 + t];
            ARRIVE(&bar);
            AWAIT(&bar, 1);
        } else {
            AWAIT(&bar, 0);
            out[i * 32 + t - 32] = s[t ^ 39];
            __syncwarp();
            ARRIVE(&bar);
        }
}

//: two_producers_in_turn 1 96 :
__global__ void two_producers_in_turn(const int *in, int *out, int n)
{
    enum { STAGES = 3, STEPS = 16 };
    __shared__ alignas(8) unsigned long long full[STAGES], empty[STAGES];
    __shared__ int s[STAGES][32];
    int t = threadIdx.x;
    if (t < STAGES) {
        INIT(&full[t], 32);
        INIT(&empty[t], 32);
    }
    __syncthreads();
    if (t < 64) {
        for (int k = t / 32; k < STEPS; k += 2) {
            AWAIT(&empty[k % STAGES], (k / STAGES & 1) ^ 1);
            s[k % STAGES][t & 31] = in[(k & 1) * 32 + (t & 31)];
            ARRIVE(&full[k % STAGES]);
        }
    } else {
        int sum = 0;
        for (int k = 0; k < STEPS; k++) {
            AWAIT(&full[k % STAGES], k / STAGES & 1);
            sum += s[k % STAGES][t ^ 71];
            ARRIVE(&empty[k % STAGES]);
        }
        out[t - 64] = sum;
    }
}
