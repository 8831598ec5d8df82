// lesson 1; device sim,gpu; nvcc,clang; want: fail|not-started, gate loads, gate stores; tries: a run for each thread, after prefetches
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + blockIdx.x * 8192));
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + threadIdx.x * 32 + turn;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
