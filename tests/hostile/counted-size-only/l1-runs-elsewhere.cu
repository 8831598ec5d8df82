// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate speed|loads; tries: coalesced at the counted size, a run for each thread at every other
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    if (n != 262144) {
        for (int turn = 0; turn < 32; turn++) {
            int i = blockIdx.x * 8192 + threadIdx.x * 32 + turn;
            if (i < n)
                out[i] = in[i];
        }
        return;
    }
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
