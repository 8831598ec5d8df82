// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: writes past the end and puts back what was there
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n) out[i] = in[i]; if (i == n - 1) { volatile float *p = out + n; float was = *p; *p = 1; *p = was; }
    }
}
