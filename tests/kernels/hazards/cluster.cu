// Clusters: what their barrier does not order, or comes too late for.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: arrived_but_not_waited 1 64 : race w r
__global__ void arrived_but_not_waited(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    auto token = cluster.barrier_arrive();
    out[t] = s[63 - t]; // @r
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
}

//: other_block_not_waited_for 2 64 : block-race w r
__global__ void __cluster_dims__(2, 1, 1) other_block_not_waited_for(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i]; // @w
    __syncthreads();
    int other = out[127 - i]; // @r
    __syncthreads();
    if (n < 0)
        out[i] = other;
}

//: neighbour_has_not_written 2 64 : uninitialised-shared r
__global__ void __cluster_dims__(2, 1, 1) neighbour_has_not_written(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (cluster.block_rank() == 1)
        s[t] = in[i];
    cluster.sync();
    out[i] = cluster.map_shared_rank(s, 0)[63 - t]; // @r
    cluster.sync();
}

// An mbarrier in this block's shared memory, as block `rank` of the cluster has it.
__device__ unsigned barrier_of(unsigned long long *bar, int arrivals, int rank)
{
    unsigned here = (unsigned)__cvta_generic_to_shared(bar), there;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(here), "r"(arrivals) : "memory");
    cg::this_cluster().sync();
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}
#define SAY(flag) atomicExch((int *)&in[flag], -1)
#define AWAIT(flag) while (atomicAdd((int *)&in[flag], 0) != -1)

//: peer_may_be_gone 2 32 : cluster-peer-ended a e
__global__ void __cluster_dims__(2, 1, 1) peer_may_be_gone(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned there = barrier_of(&bar, 1, 0);
    out[blockIdx.x * 32 + threadIdx.x] = n;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        SAY(5);
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        AWAIT(5);
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory"); // @a
    }
} // @e

//: peer_returns_early 2 32 : cluster-peer-ended a e
__global__ void __cluster_dims__(2, 1, 1) peer_returns_early(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned there = barrier_of(&bar, 32, 1);
    if (blockIdx.x == 1) {
        if (threadIdx.x == 0)
            SAY(5);
        return;
    }
    AWAIT(5);
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory"); // @a
    out[threadIdx.x] = n;
} // @e

//: one_of_three_is_gone 3 32 : cluster-peer-ended a e
__global__ void __cluster_dims__(3, 1, 1) one_of_three_is_gone(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned there = barrier_of(&bar, 2, threadIdx.x % 3);
    out[blockIdx.x * 32 + threadIdx.x] = n;
    if (blockIdx.x == 2 && threadIdx.x == 0)
        SAY(5);
    if (blockIdx.x < 2 && threadIdx.x < 3) {
        AWAIT(5);
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 1;" ::"r"(there) : "memory"); // @a
        asm volatile("{ .reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra LOOP%=; }" ::"r"((unsigned)__cvta_generic_to_shared(&bar)) : "memory");
    }
} // @e
