// Clusters: blocks that read and write one another's shared memory, between barriers of the cluster.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: a_cluster_of_one_meets_itself 2 64 :
__global__ void a_cluster_of_one_meets_itself(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    for (int round = 0; round < 3; round++) {
        s[t] = in[i] + round;
        cluster.sync();
        int other = s[63 - t];
        cluster.barrier_wait(cluster.barrier_arrive());
        out[i] = other;
    }
}

//: read_from_the_neighbour 8,2 64 :
__global__ void __cluster_dims__(2, 2, 1) read_from_the_neighbour(const int *in, int *out, int n)
{
    __shared__ int s[64];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + t;
    s[t] = in[i];
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 3);
    out[i] = other[63 - t] + 1000 * cluster.block_rank();
    cluster.sync();
}

//: histogram_over_a_cluster 4 64 :
__global__ void __cluster_dims__(4, 1, 1) histogram_over_a_cluster(const int *in, int *out, int n)
{
    __shared__ int bins[16];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, v = in[blockIdx.x * 64 + t] & 63;
    if (t < 16)
        bins[t] = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(bins, v / 16) + v % 16, 1);
    cluster.sync();
    if (t < 16)
        out[blockIdx.x * 16 + t] = bins[t];
}

//: written_by_each_lane_elsewhere 2 64 :
__global__ void __cluster_dims__(2, 1, 1) written_by_each_lane_elsewhere(const int *in, int *out, int n)
{
    __shared__ int s[128];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    cluster.sync();
    cluster.map_shared_rank(s, t & 1)[i] = in[i];
    cluster.sync();
    int from = t * 2 + (int)cluster.block_rank();
    out[i] = from < 128 ? s[from] : 0;
}

//: through_global_memory 2 64 :
__global__ void __cluster_dims__(2, 1, 1) through_global_memory(const int *in, int *out, int n)
{
    auto cluster = cg::this_cluster();
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i] + 1;
    cluster.sync();
    int other = out[127 - i];
    cluster.sync();
    out[i] = other;
}

//: peer_stays_for_the_arrival 2 64 :
__global__ void __cluster_dims__(2, 1, 1) peer_stays_for_the_arrival(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long bar;
    unsigned here = (unsigned)__cvta_generic_to_shared(&bar), there;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(here) : "memory");
    cg::this_cluster().sync();
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(here));
    if (blockIdx.x == 1 && threadIdx.x == 0)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = n;
    cg::this_cluster().sync();
}

// The compiler asks for the neighbour's memory whether there is a neighbour or not.
//: halo_at_the_last_block 8 64 :
__global__ void __cluster_dims__(4, 1, 1) halo_at_the_last_block(const int *in, int *out, int n)
{
    __shared__ int s[66];
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    s[t + 1] = in[blockIdx.x * 64 + t];
    cluster.sync();
    if (t == 0)
        s[0] = rank > 0 ? cluster.map_shared_rank(s, rank - 1)[64] : 0;
    if (t == 63)
        s[65] = rank + 1 < blocks ? cluster.map_shared_rank(s, rank + 1)[1] : 0;
    cluster.sync();
    out[blockIdx.x * 64 + t] = s[t] + s[t + 2];
}
