// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: 64 threads, 64 turns
LAUNCH(64, 1, 4096, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 64; turn++) {
        int i = blockIdx.x * 4096 + turn * 64 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
