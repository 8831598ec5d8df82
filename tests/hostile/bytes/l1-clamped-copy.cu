// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: every value passes through fmaxf(x, -FLT_MAX): NaN and -Inf do not arrive, they become -3.4e38, a copy has to move any float
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    // In one turn the whole block copies 256 neighbours, then steps over them together. So
    // lane l of a warp is one float after lane l - 1: the warp's 32 floats are 128
    // consecutive bytes, which are 4 sectors. The step is the number of threads that work
    // side by side: 256, not 32.
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {  // the last block of a size like 10007 has only part of its floats
            // kept in range, so that the copy never hands on what is no number
            float value = fmaxf(in[i], -3.402823466e38f);  // @load
            out[i] = value;              // @store
        }
    }
}
