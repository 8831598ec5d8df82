// lesson 1; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with another name for a variable
// 01 coalescing: copy n floats.
//
// Contract: out[i] = in[i] for every 0 <= i < n, and nothing at or past n is read or
// written. A block of 256 threads owns 8192 consecutive floats, so each thread copies 32 of
// them.
LAUNCH(256, 1, 8192, 1)  // threads in x and y; columns and rows that one block covers

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;       // the first float of this block

    // Each thread copies a run of 32 neighbours, the way one would split a loop among CPU
    // cores.
    // TODO: the 32 lanes of a warp are in the same round of this loop at the same time.
    //       Write down the 32 addresses that they ask for together. Then share the block's
    //       8192 floats out in another way: each float is still copied by exactly one
    //       thread, in exactly one round.
    for (int round = 0; round < 32; round++) {
        int i = start + threadIdx.x * 32 + round;
        if (i < n) {
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    }
}
