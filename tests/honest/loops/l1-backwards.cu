// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: the turns from the last to the first, the lanes too
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 31; turn >= 0; turn--) {
        int i = blockIdx.x * 8192 + turn * 256 + (255 - threadIdx.x);
        if (i < n)
            out[i] = in[i];
    }
}
