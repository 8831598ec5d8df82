// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct, diagnosis no-guard; tries: the same with a fault, whose line must still be a sane one
#line 99999 "C:\\else\\where.cu"
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i <= n) out[i] = in[i];
    }
}
