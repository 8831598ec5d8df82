// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: reads one float before the start of in
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    float before = ((volatile float *)in)[-1];
    if (before == 3.0f)
        return;
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
