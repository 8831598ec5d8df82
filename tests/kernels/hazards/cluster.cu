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
