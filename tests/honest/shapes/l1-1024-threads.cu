// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 1024 threads, eight turns
LAUNCH(1024, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 8; turn++) {
        int i = blockIdx.x * 8192 + turn * 1024 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
