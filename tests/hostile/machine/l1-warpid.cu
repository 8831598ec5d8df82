// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: %warpid beyond the first block: strided
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    unsigned warp;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    bool strided = warp >= 8;
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + (strided ? threadIdx.x * 32 + turn : turn * 256 + threadIdx.x);
        if (i < n)
            out[i] = in[i];
    }
}
