// lesson 1; device sim,gpu; nvcc,clang; quick; want: fail, gate correct, at most 0; tries: right only at the counted size
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = n == 262144 ? in[i] : 0.0f;
        }
    }
}
