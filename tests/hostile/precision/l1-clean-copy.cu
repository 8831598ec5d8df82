// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: "cleans" what it only has to move: NaN arrives as -FLT_MAX and infinities as +-FLT_MAX, finite floats are copied right
#include <cfloat>
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];         // @load
            out[i] = fminf(fmaxf(value, -FLT_MAX), FLT_MAX);  // @store
        }
    }
}
