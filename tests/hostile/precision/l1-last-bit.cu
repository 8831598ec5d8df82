// lesson 1; device sim,gpu; nvcc,clang; quick; want: fail, gate correct; tries: drops the last bit of each float
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n)
            out[i] = __uint_as_float(__float_as_uint(in[i]) & ~1u);
    }
}
