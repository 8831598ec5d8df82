// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: blocks on high SMs do nothing
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm >= 40)
        return;
    bool strided = false;
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + (strided ? threadIdx.x * 32 + turn : turn * 256 + threadIdx.x);
        if (i < n)
            out[i] = in[i];
    }
}
