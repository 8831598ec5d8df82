// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: writes only what out does not hold yet
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n) { float v = in[i]; if (out[i] != v) out[i] = v; }
    }
}
