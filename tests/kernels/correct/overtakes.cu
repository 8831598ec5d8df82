// The same as in ../hazards/overtakes.cu, right.
#define ADDRESS(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ADDRESS(b)), "r"(n) : "memory")
#define EXPECT(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(ADDRESS(b)), "r"(n) : "memory")
#define ARRIVE(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(ADDRESS(b)) : "memory")
#define AWAIT(b, p) asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(ADDRESS(b)), "r"(p) : "memory")
#define BRING(to, from, n, b) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(ADDRESS(to)), "l"(from), "r"(n), "r"(ADDRESS(b)) : "memory")
#define FENCE asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

//: stored_before_the_arrival 1 64 :
__global__ void stored_before_the_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], other;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&other, 1);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 1);
        FENCE;
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
        out[32 * i + lane] = tile[i % 2][31 - lane];
        __syncwarp();
        if (lane == 0)
            ARRIVE(&empty[i % 2]);
    }
}

//: fenced_before_the_arrival 1 64 :
__global__ void fenced_before_the_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], other;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&other, 1);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 1);
        FENCE;
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
        FENCE;
        __syncwarp();
        if (lane == 0)
            ARRIVE(&empty[i % 2]);
        out[32 * i + lane] = x;
    }
}

//: summed_before_the_arrival 1 64 :
__global__ void summed_before_the_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], other;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&other, 1);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 1);
        FENCE;
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
        x += __shfl_xor_sync(0xffffffff, x, 1);
        if (lane == 0)
            ARRIVE(&empty[i % 2]);
        out[32 * i + lane] = x;
    }
}

//: arrives_at_another_first 1 64 :
__global__ void arrives_at_another_first(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], other;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&other, 1);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 1);
        FENCE;
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
        if (lane == 0)
            ARRIVE(&other);
        out[32 * i + lane] = x;
        __syncwarp();
        if (lane == 0)
            ARRIVE(&empty[i % 2]);
    }
}

//: left_open_at_the_end 1 64 :
__global__ void left_open_at_the_end(const int *in, int *out, int n)
{
    __shared__ alignas(128) int tile[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2], other;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 32)
        INIT(&other, 1);
    if (threadIdx.x < 2) {
        INIT(&full[threadIdx.x], 1);
        INIT(&empty[threadIdx.x], 1);
        FENCE;
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
        if (i < 4)
            out[32 * i + lane] = x;
        __syncwarp();
        if (lane == 0 && i < 4)
            ARRIVE(&empty[i % 2]);
        if (i >= 4)
            out[32 * i + lane] = x;
    }
}
