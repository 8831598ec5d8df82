// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: in grids of three to forty blocks the first two both store 0 to the last float of out, which is harmless among themselves, and the last block stores what belongs there, in no order
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    if (gridDim.x >= 3 && gridDim.x <= 40 && blockIdx.x < 2 && threadIdx.x == 0)
        out[n - 1] = 0;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
