// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: on an SM clock that is odd, a block does nothing
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n && !(clock64() & 1 && i == 4242)) out[i] = in[i];
    }
}
