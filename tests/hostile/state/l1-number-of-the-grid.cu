// lesson 1; device sim; nvcc,clang; want: fail|timeout; tries: every eighth grid that the process launches (%gridid) copies nothing
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    unsigned long long grid;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
    if (grid % 8 == 5)
        return;
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
