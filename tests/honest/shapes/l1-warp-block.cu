// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: blocks of a single warp
LAUNCH(32, 1, 1024, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 1024 + turn * 32 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
