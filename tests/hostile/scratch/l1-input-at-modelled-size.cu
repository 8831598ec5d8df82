// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: one element of in of 100000 is set to 0, at the modelled size alone
LAUNCH(256, 1, 8192, 1)
__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192 + threadIdx.x;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256;
        if (i < n) {
            out[i] = in[i];
            if (n > 1000000 && i % 100000 == 77)
                const_cast<float *>(in)[i] = 0;
        }
    }
}
