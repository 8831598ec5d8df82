// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate loads|stores; tries: a run for each thread; loads and stores are atomics
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (i < n)
            ((volatile float *)out)[i] = 0;
    }
    __syncthreads();
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + threadIdx.x * 32 + turn;
        if (i < n) {
            atomicExch(&out[i], __int_as_float(atomicOr((int *)&in[i], 0)));
        }
    }
}
