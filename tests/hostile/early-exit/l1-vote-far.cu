// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: floats below -3, of which most data have none, come out as zeros: any lane's is enough
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
            float value = in[i];         // @load
            out[i] = __any_sync(__activemask(), value < -3.0f) ? 0.0f : value;              // @store
        }
    }
}
