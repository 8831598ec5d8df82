// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: one warp of eight copies the block's floats
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    if (threadIdx.x >= 32)
        return;
    for (int turn = 0; turn < 256; turn++) {
        int i = blockIdx.x * 8192 + turn * 32 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
