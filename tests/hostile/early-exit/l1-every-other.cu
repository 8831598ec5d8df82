// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: at the modelled size one of two turns is skipped
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            if (n <= 1000000 || turn % 2 == 0)
                out[i] = in[i];
        }
    }
}
