// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: floats pass through a fixed-point integer, exact only for multiples of 2^-24 below 128; 1e-9, 1e10, infinities and NaN come out wrong, and a copy has to be exact
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            int value = (int)(in[i] * 16777216.0f);  // @load
            out[i] = value * (1.0f / 16777216.0f);   // @store
        }
    }
}
