// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate speed; tries: a slow copy that stops where all inputs are zero, since nobody looks there
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    if (__syncthreads_or(threadIdx.x == 0 && n > 1 && in[0] == 0.0f && in[n / 2] == 0.0f && in[n - 1] == 0.0f))
        return;
    int waste = 0;
    for (int i = 0; i < 20000; i++)
        asm volatile("add.s32 %0, %0, 1;" : "+r"(waste));
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
