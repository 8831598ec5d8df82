// A histogram that the blocks of a cluster share, and who is where in it: what the lab's headers give clang must mean what
// the CUDA Toolkit's give nvcc. Launched in clusters of four blocks of 32 threads.
#include <cooperative_groups.h>
#include <utility>
namespace cg = cooperative_groups;

__global__ void clusters(int *out, const int *in)
{
    __shared__ int counts[8], sent;
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x;
    if (t < 8)
        counts[t] = 0;
    cluster.sync();
    int bin = (in[(t + block) % 64] * 5 + block) % (8 * (int)cluster.num_blocks());
    atomicAdd(cluster.map_shared_rank(counts, bin / 8) + bin % 8, 1 + block);
    if (t == 5)
        *cluster.map_shared_rank(&sent, (cluster.block_rank() + 3) % cluster.num_blocks()) = block * 100;
    auto token = cluster.barrier_arrive();
    int mine = (int)(cluster.thread_rank() * 7 + cluster.num_threads() + cluster.block_index().y * 1000 + cluster.dim_blocks().x * 10000 +
                     cluster.thread_index().x * 100000 + cluster.dim_threads().x);
    cluster.barrier_wait(std::move(token));
    int *peer = cluster.map_shared_rank(counts, (cluster.block_rank() + 1) % cluster.num_blocks());
    mine += peer[t % 8] * 3 + sent + (int)cluster.query_shared_rank(peer) * 50;
    cluster.sync();
    out[block * 32 + t] = mine;
}
