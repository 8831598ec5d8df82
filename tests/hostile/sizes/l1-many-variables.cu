// lesson 1; device sim,gpu; nvcc,clang; want: fail|pass, at most 95; tries: 400 sums kept alive in registers
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    float kept[400];
#pragma unroll
    for (int i = 0; i < 400; i++)
        kept[i] = in[i % n] * i;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 400; i++)
        sum += kept[i] * kept[399 - i];
    if (sum == 77.5f)
        out[0] = sum;
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
