// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the index is added up in float, exact only below 2^24, so that beyond n = 16777216 neighbours collapse on one index and most floats are never copied
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    float start = blockIdx.x * 8192.0f;  // no overflow, however many blocks there are

    for (int turn = 0; turn < 32; turn++) {
        int i = (int)(start + (float)(turn * 256 + threadIdx.x));
        if (i < n) {
            float value = in[i];         // @load
            out[i] = value;              // @store
        }
    }
}
