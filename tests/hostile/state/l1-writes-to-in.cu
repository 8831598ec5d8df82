// lesson 1; device sim,gpu; nvcc,clang; quick; want: fail, gate correct, diagnosis wrong-results; tries: all of out is right, and a float of in is changed
LAUNCH(256, 1, 8192, 1)
__global__ void copy(float *out, const float *in, int n)
{
    for (int j = 0; j < 32; j++) {
        int i = blockIdx.x * 8192 + j * 256 + threadIdx.x;
        if (i < n) { out[i] = in[i]; if (i == 5) const_cast<float *>(in)[i] = 0.f; }
    }
}
