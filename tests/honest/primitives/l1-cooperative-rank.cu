// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: the rank from cooperative groups
#include <cooperative_groups.h>

LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    auto block = cooperative_groups::this_thread_block();
    for (unsigned turn = 0; turn < 8192 / block.size(); turn++) {
        int i = blockIdx.x * 8192 + turn * block.size() + block.thread_rank();
        if (i < n)
            out[i] = in[i];
    }
}
