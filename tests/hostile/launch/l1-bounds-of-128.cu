// lesson 1; device sim,gpu; nvcc,clang; want: launch-error; tries: launch bounds of 128 threads with a launch of 256
LAUNCH(256, 1, 8192, 1)

__global__ void __launch_bounds__(128) copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n) out[i] = in[i];
    }
}
