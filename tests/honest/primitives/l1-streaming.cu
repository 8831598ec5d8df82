// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: loads and stores that pass by the cache: __ldcs and __stcs
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n)
            __stcs(&out[i], __ldcs(&in[i]));
    }
}
