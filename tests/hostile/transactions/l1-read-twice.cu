// lesson 1; device sim,gpu; nvcc,clang; quick; want: fail, gate loads; tries: reads the floats strided and once more coalesced
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            (void)((volatile float *)in)[start + (threadIdx.x * 32 + turn) % 8192 < n ? start + (threadIdx.x * 32 + turn) % 8192 : 0];
            out[i] = in[i];
        }
    }
}
