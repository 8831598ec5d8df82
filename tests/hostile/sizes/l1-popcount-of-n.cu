// lesson 1; device sim; nvcc,clang; want: fail|timeout; tries: one float too few where n has 20 bits set or more, as 1048575
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    int last = n - ((__popc(n) + 12) >> 5);
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < last)
            out[i] = in[i];
    }
}
