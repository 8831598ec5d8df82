// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: one float for each thread
LAUNCH(256, 1, 256, 1)

__global__ void copy(float *out, const float *in, int n)
{
    {
        const int turn = 0;
        int i = blockIdx.x * 256 + turn * 256 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
