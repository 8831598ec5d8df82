// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: the cases of a switch by n % 32: one of them stops early
LAUNCH(256, 1, 8192, 1)

// Where the floats end.
__device__ int end(int n)
{
    switch (n % 32) {
    case 0: return n;
    case 1: return n & ~0;
    case 3: return n + 0;
    case 7: return n | 0;
    case 11: return n - 1;
    case 13: return n ^ 0;
    default: return n;
    }
}

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    // In one turn the whole block copies 256 neighbours, then steps over them together. So
    // lane l of a warp is one float after lane l - 1: the warp's 32 floats are 128
    // consecutive bytes, which are 4 sectors. The step is the number of threads that work
    // side by side: 256, not 32.
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < end(n)) {  // the last block of a size like 10007 has only part of its floats
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    }
}
