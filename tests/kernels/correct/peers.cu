// Blocks of a cluster that hand data to one another: by its barrier, flags, mbarriers and stores that arrive at them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ unsigned init_bar(unsigned long long *bar, int count)
{
    unsigned here = (unsigned)__cvta_generic_to_shared(bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(here), "r"(count) : "memory");
    return here;
}

__device__ unsigned map_to(unsigned here, int rank)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}

#define ARRIVE_THERE(there) asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory")

__device__ void wait_for(unsigned bar, int parity)
{
    asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(bar), "r"(parity) : "memory");
}

//: reduction_over_a_cluster 4 128 :
__global__ void __cluster_dims__(4, 1, 1) reduction_over_a_cluster(const int *in, int *out, int n)
{
    __shared__ int s[4], part[4];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, v = in[blockIdx.x * 128 + t];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (t % 32 == 0)
        s[t / 32] = v;
    __syncthreads();
    cluster.sync();
    if (t == 0)
        cluster.map_shared_rank(part, 0)[cluster.block_rank()] = s[0] + s[1] + s[2] + s[3];
    cluster.sync();
    if (cluster.block_rank() == 0 && t == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

//: pushes_with_split_barrier 2 64 :
__global__ void __cluster_dims__(2, 1, 1) pushes_with_split_barrier(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t, sum = 0;
    cluster.sync();
    for (int k = 0; k < 4; k++) {
        cluster.map_shared_rank(s[k & 1], cluster.block_rank() ^ 1)[t] = in[i] + k;
        auto token = cluster.barrier_arrive();
        sum += in[t + k];
        cluster.barrier_wait(static_cast<decltype(token) &&>(token));
        sum += s[k & 1][63 - t];
    }
    out[i] = sum;
    cluster.sync();
}

//: remote_flag_with_fences 2 32 :
__global__ void __cluster_dims__(2, 1, 1) remote_flag_with_fences(const int *in, int *out, int n)
{
    __shared__ int s[32], flag;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        cluster.map_shared_rank(s, 0)[t] = in[t];
        __threadfence();
        __syncwarp();
        if (t == 0)
            atomicExch(cluster.map_shared_rank(&flag, 0), 1);
    } else {
        if (t == 0)
            while (atomicAdd(&flag, 0) == 0)
                ;
        __syncwarp();
        __threadfence();
        out[t] = s[31 - t];
    }
    cluster.sync();
}

//: ring_of_remote_arrivals 2 32 :
__global__ void __cluster_dims__(2, 1, 1) ring_of_remote_arrivals(const int *in, int *out, int n)
{
    __shared__ int s[2][32];
    __shared__ alignas(8) unsigned long long full[2], empty[2];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    unsigned f[2] = {init_bar(&full[0], 32), init_bar(&full[1], 32)}, e[2] = {init_bar(&empty[0], 32), init_bar(&empty[1], 32)};
    cluster.sync();
    for (int k = 0; k < 6; k++) {
        if (cluster.block_rank() == 0) {
            wait_for(e[k % 2], (k / 2 & 1) ^ 1);
            cluster.map_shared_rank(s[k % 2], 1)[t] = in[t] + k;
            ARRIVE_THERE(map_to(f[k % 2], 1));
        } else {
            wait_for(f[k % 2], k / 2 & 1);
            sum += s[k % 2][31 - t];
            ARRIVE_THERE(map_to(e[k % 2], 0));
        }
    }
    out[blockIdx.x * 32 + t] = sum;
    cluster.sync();
}

//: stores_that_arrive 2 32 :
__global__ void __cluster_dims__(2, 1, 1) stores_that_arrive(const int *in, int *out, int n)
{
    __shared__ int s[32];
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    unsigned here = init_bar(&bar, 1);
    if (t == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(here) : "memory");
    cluster.sync();
    int peer = cluster.block_rank() ^ 1;
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(map_to((unsigned)__cvta_generic_to_shared(s + t), peer)), "r"(in[t]), "r"(map_to(here, peer)) : "memory");
    wait_for(here, 0);
    out[blockIdx.x * 32 + t] = s[31 - t];
}

//: ended_blocks_count_as_arrived 2 64 :
__global__ void __cluster_dims__(2, 1, 1) ended_blocks_count_as_arrived(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = in[i];
    cluster.sync();
    if (cluster.block_rank() == 1) {
        out[i] = cluster.map_shared_rank(s, 0)[63 - t];
        return;
    }
    cluster.sync();
    s[t] = n;
}

//: begun_by_a_relaxed_arrival 2 32 :
__global__ void __cluster_dims__(2, 1, 1) begun_by_a_relaxed_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, other = 1 - (int)cluster.block_rank();
    unsigned here = init_bar(&bar, 32);
    if (t == 0)
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    ARRIVE_THERE(map_to(here, other));
    wait_for(here, 0);
    out[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t];
    cluster.sync();
}

//: lent_with_a_barrier 2 64 :
__global__ void __cluster_dims__(2, 1, 1) lent_with_a_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    cluster.sync();
    there[t] = in[t];
    __syncwarp();
    int sum = there[t ^ 31];
    __syncthreads();
    sum += there[63 - t];
    cluster.sync();
    there[t] = sum;
    cluster.sync();
    out[blockIdx.x * 64 + t] = there[63 - t] + s[t];
    cluster.sync();
}

//: ordered_by_the_peer 2 64 :
__global__ void __cluster_dims__(2, 1, 1) ordered_by_the_peer(const int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ unsigned long long asked, answered;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, other = cluster.block_rank() ^ 1;
    unsigned ask = init_bar(&asked, 32), answer = init_bar(&answered, 1);
    int *there = cluster.map_shared_rank(s, other);
    cluster.sync();
    if (t < 32) { // writes there, and tells the peer
        there[t] = in[t];
        ARRIVE_THERE(map_to(ask, other));
    }
    if (t == 32) { // whose second warp tells this one's
        wait_for(ask, 0);
        ARRIVE_THERE(map_to(answer, other));
    }
    if (t >= 32) {
        wait_for(answer, 0);
        out[blockIdx.x * 32 + t - 32] = there[63 - t];
    }
    cluster.sync();
}

//: made_known_by_its_own_fence 2 64 :
__global__ void __cluster_dims__(2, 1, 1) made_known_by_its_own_fence(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, other = 1 - (int)cluster.block_rank();
    unsigned here = init_bar(&bar, 128);
    if (t == 0)
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(here) : "memory");
    ARRIVE_THERE(map_to(here, other));
    wait_for(here, 0);
    out[blockIdx.x * 64 + t] = in[blockIdx.x * 64 + t];
    cluster.sync();
}

//: flag_released_to_the_cluster 2 32 :
__global__ void __cluster_dims__(2, 1, 1) flag_released_to_the_cluster(const int *in, int *out, int n)
{
    __shared__ int s[32], flag;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, seen;
    unsigned here = (unsigned)__cvta_generic_to_shared(&flag);
    if (t == 0)
        flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 0) {
        cluster.map_shared_rank(s, 1)[t] = in[t];
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(map_to(here, 1)) : "memory");
    } else {
        do
            asm volatile("ld.acquire.cluster.shared.u32 %0, [%1];" : "=r"(seen) : "r"(here) : "memory");
        while (!seen);
        out[t] = s[31 - t];
        __syncwarp();
        if (t == 0)
            flag = 0; // as it has been seen
    }
}

//: leaves_when_it_has_seen_the_last_store 2 32 :
__global__ void __cluster_dims__(2, 1, 1) leaves_when_it_has_seen_the_last_store(const int *in, int *out, int n)
{
    __shared__ int done;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t == 0)
        done = 0;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        if (t == 0)
            atomicAdd(cluster.map_shared_rank(&done, 0), 1);
    } else {
        while (atomicAdd(&done, 0) == 0)
            ;
    }
    out[blockIdx.x * 32 + t] = in[t];
}
