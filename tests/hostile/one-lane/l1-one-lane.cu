// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: one lane of each warp copies everything
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x / 32 * 32;
        for (int j = 0; j < 32 && i + j < n; j++)
            if (threadIdx.x % 32 == 0)
                out[i + j] = in[i + j];
    }
}
