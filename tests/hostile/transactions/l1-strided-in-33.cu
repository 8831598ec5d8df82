// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: one block in 33 of a large launch copies a run for each thread
// 01 coalescing: copy n floats. Solution.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    // In one turn the whole block copies 256 neighbours, then steps over them together. So
    // lane l of a warp is one float after lane l - 1: the warp's 32 floats are 128
    // consecutive bytes, which are 4 sectors. The step is the number of threads that work
    // side by side: 256, not 32.
    for (int turn = 0; turn < 32; turn++) {
        int i = start + (gridDim.x > 500 && blockIdx.x % 33 == 12 ? threadIdx.x * 32 + turn : turn * 256 + threadIdx.x);
        if (i < n) {  // the last block of a size like 10007 has only part of its floats
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    }
}
