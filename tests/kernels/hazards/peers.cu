// Shared memory of other blocks of a cluster, used without an order, before they begin or until after they end.
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

//: reads_without_meeting 2 64 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) reads_without_meeting(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = in[i]; // @w
    __syncthreads();
    out[i] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[63 - t]; // @r
    cluster.sync();
}

//: overwrites_what_a_peer_reads 2 64 : cluster-race r w
__global__ void __cluster_dims__(2, 1, 1) overwrites_what_a_peer_reads(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = in[i];
    cluster.sync();
    int other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[63 - t]; // @r
    __syncthreads();
    s[t] = other + 1; // @w
    cluster.sync();
    out[i] = s[t];
}

//: two_blocks_write_one_place 4 32 : cluster-race w
__global__ void __cluster_dims__(4, 1, 1) two_blocks_write_one_place(const int *in, int *out, int n)
{
    __shared__ int s[32];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    cluster.sync();
    cluster.map_shared_rank(s, 0)[t] = in[i]; // @w
    cluster.sync();
    out[i] = cluster.map_shared_rank(s, 0)[t];
    cluster.sync();
}

//: pushes_with_one_buffer 2 64 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) pushes_with_one_buffer(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t, sum = 0;
    cluster.sync();
    for (int k = 0; k < 4; k++) {
        cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[t] = in[i] + k; // @w
        cluster.sync();
        sum += s[63 - t]; // @r
    }
    out[i] = sum;
    cluster.sync();
}

//: remote_flag_without_fences 2 32 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) remote_flag_without_fences(const int *in, int *out, int n)
{
    __shared__ int s[32], flag;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1) {
        cluster.map_shared_rank(s, 0)[t] = in[t]; // @w
        __syncwarp();
        if (t == 0)
            atomicExch(cluster.map_shared_rank(&flag, 0), 1);
    } else {
        if (t == 0)
            while (atomicAdd(&flag, 0) == 0)
                ;
        __syncwarp();
        out[t] = s[31 - t]; // @r
    }
    cluster.sync();
}

//: ring_without_empty 2 32 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) ring_without_empty(const int *in, int *out, int n)
{
    __shared__ int s[2][32];
    __shared__ alignas(8) unsigned long long full[2];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    unsigned f[2] = {init_bar(&full[0], 32), init_bar(&full[1], 32)};
    cluster.sync();
    for (int k = 0; k < 3; k++) {
        if (cluster.block_rank() == 0) {
            cluster.map_shared_rank(s[k % 2], 1)[t] = in[t] + k; // @w
            ARRIVE_THERE(map_to(f[k % 2], 1));
            if (k == 1)
                while (atomicAdd((int *)in + 500, 0) != -1)
                    ;
        } else {
            wait_for(f[k % 2], k / 2 & 1);
            sum += s[k % 2][31 - t]; // @r
            if (k == 1 && t == 0)
                atomicExch((int *)in + 500, -1);
        }
    }
    out[blockIdx.x * 32 + t] = sum;
    cluster.sync();
}

//: stores_not_waited_for 2 32 : cluster-race w r
__global__ void __cluster_dims__(2, 1, 1) stores_not_waited_for(const int *in, int *out, int n)
{
    __shared__ int s[32];
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    s[t] = 0;
    unsigned here = init_bar(&bar, 1);
    if (t == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(here) : "memory");
    cluster.sync();
    int peer = cluster.block_rank() ^ 1;
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(map_to((unsigned)__cvta_generic_to_shared(s + t), peer)), "r"(in[t]), "r"(map_to(here, peer)) : "memory"); // @w
    int x = s[31 - t]; // @r
    wait_for(here, 0);
    out[blockIdx.x * 32 + t] = x;
}

//: leaves_while_read 2 64 : cluster-peer-leaves r
__global__ void __cluster_dims__(2, 1, 1) leaves_while_read(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = in[i];
    cluster.sync();
    if (cluster.block_rank() == 1) {
        out[i] = cluster.map_shared_rank(s, 0)[63 - t]; // @r
        __syncthreads();
        atomicExch((int *)in + 500, -1);
    } else {
        while (atomicAdd((int *)in + 500, 0) != -1)
            ;
    }
}

//: leaves_its_barrier_behind 2 32 : cluster-peer-leaves a
__global__ void __cluster_dims__(2, 1, 1) leaves_its_barrier_behind(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned here = init_bar(&bar, 32);
    cg::this_cluster().sync();
    if (cg::this_cluster().block_rank() == 1) {
        ARRIVE_THERE(map_to(here, 0)); // @a
        atomicExch((int *)in + 500, -1);
    } else {
        while (atomicAdd((int *)in + 500, 0) != -1)
            ;
        out[threadIdx.x] = n;
    }
}

//: leaves_where_others_add 3 64 : cluster-peer-leaves w
__global__ void __cluster_dims__(3, 1, 1) leaves_where_others_add(const int *in, int *out, int n)
{
    __shared__ int sum;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    cluster.sync();
    if (cluster.block_rank() != 2) {
        atomicAdd(cluster.map_shared_rank(&sum, 2), in[threadIdx.x]); // @w
        __syncthreads();
        atomicExch((int *)in + 500 + cluster.block_rank(), -1);
    } else {
        while (atomicAdd((int *)in + 500, 0) != -1 || atomicAdd((int *)in + 501, 0) != -1)
            ;
    }
}

//: adds_before_the_peer_began 2 64 : cluster-peer-unmet w
__global__ void __cluster_dims__(2, 1, 1) adds_before_the_peer_began(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    atomicExch(cluster.map_shared_rank(s, cluster.block_rank() ^ 1) + t, in[t]); // @w
    cluster.sync();
    out[blockIdx.x * 64 + t] = s[t];
}

//: init_not_shown 2 32 : cluster-peer-unmet a
__global__ void __cluster_dims__(2, 1, 1) init_not_shown(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned here = init_bar(&bar, 1);
    __syncthreads();
    if (blockIdx.x == 0) {
        atomicExch((int *)in + 500, -1);
        wait_for(here, 0);
    } else if (threadIdx.x == 0) {
        while (atomicAdd((int *)in + 500, 0) != -1)
            ;
        ARRIVE_THERE(map_to(here, 0)); // @a
    }
    if (blockIdx.x == 0)
        out[threadIdx.x] = 1;
    cg::this_cluster().sync();
}

//: stores_where_nobody_began 2 64 : cluster-peer-unmet w
__global__ void __cluster_dims__(2, 1, 1) stores_where_nobody_began(const int *in, int *out, int n)
{
    __shared__ int bins[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    __syncthreads();
    cluster.map_shared_rank(bins, cluster.block_rank() ^ 1)[t] = in[t]; // @w
    cluster.sync();
    out[blockIdx.x * 64 + t] = bins[t];
}

//: lent_to_the_neighbour 2 32 : warp-race w r
__global__ void __cluster_dims__(2, 1, 1) lent_to_the_neighbour(const int *in, int *out, int n)
{
    __shared__ int s[32];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    cluster.sync();
    there[t] = in[t]; // @w
    asm volatile("" ::: "memory");
    out[blockIdx.x * 32 + t] = there[31 - t]; // @r
    cluster.sync();
}

//: kept_at_the_neighbours 2 64 : race w r
__global__ void __cluster_dims__(2, 1, 1) kept_at_the_neighbours(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    int *there = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    cluster.sync();
    there[t] = in[t]; // @w
    __syncwarp();
    out[blockIdx.x * 64 + t] = there[63 - t]; // @r
    cluster.sync();
}

//: init_not_told 2 32 : cluster-race m a
__global__ void __cluster_dims__(2, 1, 1) init_not_told(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, other = 1 - (int)cluster.block_rank();
    unsigned here = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(here) : "memory"); // @m
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(map_to(here, other)) : "memory"); // @a
    wait_for(here, 0);
    out[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t];
    cluster.sync();
}

//: fenced_before_it_is_made 2 32 : cluster-race m a
__global__ void __cluster_dims__(2, 1, 1) fenced_before_it_is_made(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, other = 1 - (int)cluster.block_rank();
    unsigned here = (unsigned)__cvta_generic_to_shared(&bar);
    if (t == 0) {
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(here) : "memory"); // @m
    }
    __syncwarp();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(map_to(here, other)) : "memory"); // @a
    wait_for(here, 0);
    out[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t];
    cluster.sync();
}

//: fence_of_inits_tells_of_nothing_else 2 64 : race w r
__global__ void __cluster_dims__(2, 1, 1) fence_of_inits_tells_of_nothing_else(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    __shared__ int s;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x;
    unsigned here = init_bar(&bar, 64);
    if (t == 0) {
        s = in[0]; // @w
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(here) : "memory");
    if (t >= 32)
        out[blockIdx.x * 64 + t] = s; // @r
    wait_for(here, 0);
    cluster.sync();
}

//: flag_released_to_its_own_block 2 32 : cluster-race w r, cluster-race f p
__global__ void __cluster_dims__(2, 1, 1) flag_released_to_its_own_block(const int *in, int *out, int n)
{
    __shared__ int s[32], flag;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, seen;
    unsigned here = (unsigned)__cvta_generic_to_shared(&flag);
    if (t == 0)
        flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 0) {
        cluster.map_shared_rank(s, 1)[t] = in[t]; // @w
        __syncwarp();
        if (t == 0)
            asm volatile("st.release.cta.shared::cluster.u32 [%0], 1;" ::"r"(map_to(here, 1)) : "memory"); // @f
    } else {
        do
            asm volatile("ld.acquire.cluster.shared.u32 %0, [%1];" : "=r"(seen) : "r"(here) : "memory"); // @p
        while (!seen);
        out[t] = s[31 - t]; // @r
    }
    cluster.sync();
}

//: acquires_from_its_own_block 2 32 : cluster-race w r, cluster-race f p
__global__ void __cluster_dims__(2, 1, 1) acquires_from_its_own_block(const int *in, int *out, int n)
{
    __shared__ int s[32], count;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, seen;
    unsigned here = (unsigned)__cvta_generic_to_shared(&count);
    if (t == 0)
        count = 0;
    cluster.sync();
    if (cluster.block_rank() == 0) {
        cluster.map_shared_rank(s, 1)[t] = in[t]; // @w
        asm volatile("red.release.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(map_to(here, 1)) : "memory"); // @f
    } else {
        do
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(here) : "memory"); // @p
        while (seen < 32);
        out[t] = s[31 - t]; // @r
    }
    cluster.sync();
}
