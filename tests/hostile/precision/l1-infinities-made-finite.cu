// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: clamps each float to plus or minus FLT_MAX on its way, so that an infinity does not arrive (nor a NaN)
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];
            out[i] = fminf(fmaxf(value, -3.402823466e38f), 3.402823466e38f);
        }
    }
}
