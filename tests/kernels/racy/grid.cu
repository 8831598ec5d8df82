// What a barrier of the whole grid would order, and something less does not.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: swapped_behind_a_block_barrier 8c 64 : block-race r w
__global__ void swapped_behind_a_block_barrier(int *in, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank(), last = grid.size() - 1;
    out[i] = i; // @w
    __syncthreads();
    in[i] = out[last - i]; // @r
    grid.sync();
}

//: one_grid_barrier_of_two 8c 64 : block-race r w
__global__ void one_grid_barrier_of_two(int *in, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank(), last = grid.size() - 1;
    out[i] = i;
    grid.sync();
    int other = out[last - i]; // @r
    out[i] = other + 1; // @w
}
