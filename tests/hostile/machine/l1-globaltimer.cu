// lesson 1; device sim,gpu; nvcc,clang; want: fail|not-started; tries: a run for each thread where %globaltimer tells a real clock
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    bool strided = now > 1ull << 50;
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + (strided ? threadIdx.x * 32 + turn : turn * 256 + threadIdx.x);
        if (i < n)
            out[i] = in[i];
    }
}
