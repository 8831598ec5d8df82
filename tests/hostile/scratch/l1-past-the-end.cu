// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: keeps a flag one float past the end of out
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    ((volatile float *)out)[n] = 1;
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
