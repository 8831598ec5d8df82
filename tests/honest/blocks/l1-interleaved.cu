// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: blocks take pieces of 256 floats in turn
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        long long i = ((long long)turn * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
