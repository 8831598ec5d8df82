// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: a grid-stride loop of 96 threads: blocks do unequal shares
LAUNCH(96, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * 96 + threadIdx.x; i < n; i += gridDim.x * 96)
        out[i] = in[i];
}
