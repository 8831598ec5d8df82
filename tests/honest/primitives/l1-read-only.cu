// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: loads through __ldg
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n)
            out[i] = __ldg(in + i);
    }
}
