// Cooperative launches ("c" behind the grid): blocks that meet at this_grid().sync().
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//: swapped_between_grid_barriers 8c 64 :
__global__ void swapped_between_grid_barriers(int *in, int *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank(), last = grid.size() - 1;
    for (int round = 0; round < 3; round++) {
        out[i] = in[last - i] + 1;
        grid.sync();
        in[i] = out[last - i];
        grid.sync();
    }
}

//: sums_of_blocks_added_by_one 6c 96 :
__global__ void sums_of_blocks_added_by_one(const int *in, int *out, int n)
{
    __shared__ int sum;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[grid.thread_rank()]);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    grid.sync();
    if (grid.thread_rank() == 0)
        for (unsigned i = 1; i < gridDim.x; i++)
            out[0] += out[i];
}
