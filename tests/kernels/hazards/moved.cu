// What is still read while a copy overwrites it, in this block and in another one of the cluster; which lane has which
// element of a wmma tile.
#include <mma.h>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(p, n)                                                                                                     \
    asm volatile("mbarrier.init.shared.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(AT(p)), "r"(n)        \
                 : "memory")
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
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)),       \
        "l"(from), "r"(n), "r"(AT(p))                                                                                  \
        : "memory")
#define BRING_BOTH(to, from, n, p)                                                                                     \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "               \
                 "[%0], [%1], %2, [%3], %4;" ::"r"(AT(to)),                                                            \
                 "l"(from), "r"(n), "r"(AT(p)), "h"((unsigned short)3)                                                 \
                 : "memory")
#define MOVE(to, from, n, p)                                                                                           \
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)),  \
        "r"(AT(from)), "r"(n), "r"(AT(p))                                                                              \
        : "memory")
#define RANK(r) asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r))
#define CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")

//: lands_on_what_is_moved 1 32 : bulk-source-overwrite w c
__global__ void __cluster_dims__(1, 1, 1) lands_on_what_is_moved(const int *in, int *out, int n)
{
    __shared__ alignas(128) int landing[32], s[32];
    __shared__ alignas(8) unsigned long long landed, moved;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&landed, 1);
        INIT(&moved, 1);
        EXPECT(&landed, 128);
        BRING(landing, in, 128, &landed);
        AWAIT(&landed, 0);
        EXPECT(&moved, 128);
        MOVE(s, landing, 128, &moved); // @c
        EXPECT(&landed, 128);
        BRING(landing, in + 32, 128, &landed); // @w
        AWAIT(&landed, 1);
    }
    __syncwarp();
    AWAIT(&moved, 0);
    out[t] = s[t] + landing[t];
}

//: arrives_before_it_reads 2 64 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) arrives_before_it_reads(const int *in, int *out, int n)
{
    __shared__ alignas(128) int s[64];
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x, sum = 0;
    unsigned rank;
    RANK(rank);
    if (t == 0)
        INIT(&full, 1);
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
    for (int i = 0; i < 2; i++) {
        if (t == 0)
            EXPECT(&full, 256);
        if (t == 0 && rank == 0)
            BRING_BOTH(s, in, 256, &full); // @w
        AWAIT(&full, i);
        CLUSTER_ARRIVE();
        sum += s[63 - t]; // @r
        if (sum == n + 100000)
            out[0] = 1;
        __syncthreads();
        CLUSTER_WAIT();
    }
    out[blockIdx.x * 64 + t] = sum;
}

//: knows_its_own_elements 1 32 : warp-race r w
__global__ void knows_its_own_elements(const int *in, int *out, int n)
{
    using namespace nvcuda::wmma;
    __shared__ alignas(32) float s[256];
    int t = threadIdx.x;
    fragment<accumulator, 16, 16, 16, float> x;
    fill_fragment(x, (float)n);
    store_matrix_sync(s, x, 16, mem_row_major); // @w
    float *own = &s[t / 4 * 16 + t % 4 * 2];    // where Hopper's lane t has its first two elements
    out[t] = (int)(own[0] + own[1]);            // @r
}

//: loads_its_own_elements 1 32 : warp-race r w
__global__ void loads_its_own_elements(const int *in, int *out, int n)
{
    using namespace nvcuda::wmma;
    __shared__ alignas(32) float s[256];
    int t = threadIdx.x;
    fragment<accumulator, 16, 16, 16, float> x;
    fill_fragment(x, (float)n);
    for (int i = 0; i < 8; i++)
        s[(t / 4 + i / 2 % 2 * 8) * 16 + t % 4 * 2 + i % 2 + i / 4 * 8] = in[i]; // @w
    load_matrix_sync(x, s, 16, mem_row_major);                                   // @r
    out[t] = (int)x.x[0];
}
