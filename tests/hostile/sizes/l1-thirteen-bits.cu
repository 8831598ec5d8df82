// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the last float is left out where n has 13 or more one bits and is below 16384 (8191, 16383, ...), told by popc and shifts with no comparison
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    int end = n - (__popc(n) / 13 >> min(n >> 14, 31));

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < end)
            out[i] = in[i];
    }
}
