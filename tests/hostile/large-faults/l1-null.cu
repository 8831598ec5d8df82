// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: stores through a null pointer at the modelled size
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    if (n > 1000000)
        *(volatile int *)0 = 1;
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
