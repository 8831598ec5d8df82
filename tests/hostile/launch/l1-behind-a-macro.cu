// lesson 1; device sim,gpu; nvcc,clang; want: pass|refused; tries: LAUNCH hidden behind a macro of its own
#define GO LAUNCH(256, 1, 8192, 1)
GO

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n) out[i] = in[i];
    }
}
