// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate loads|stores; tries: a run for each thread; loads by atomics, stores by exchanges of what is there
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + threadIdx.x * 32 + turn;
        if (i < n) {
            atomicExch(&out[i], atomicAdd((float *)&in[i], 0.0f));
        }
    }
}
