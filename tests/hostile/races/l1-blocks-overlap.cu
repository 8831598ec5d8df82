// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate stores; tries: every block copies the next block as well
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
            if (i + 8192 < n)
                out[i + 8192] = in[i + 8192];
        }
    }
}
