// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: blocks on an SM beyond 100 do nothing
LAUNCH(256, 1, 8192, 1)
__global__ void copy(float *out, const float *in, int n)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm > 100) return;
    for (int j = 0; j < 32; j++) {
        int i = blockIdx.x * 8192 + j * 256 + threadIdx.x;
        if (i < n) out[i] = in[i];
    }
}
