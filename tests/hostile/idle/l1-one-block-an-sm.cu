// lesson 1; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: 200000 bytes of dynamic shared memory that nobody uses leave one block of 8 warps on an SM where the solution has 64 warps: right and coalesced, but a fraction of the speed
LAUNCH(256, 1, 8192, 1, 200000)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            float value = in[i];
            out[i] = value;
        }
    }
}
