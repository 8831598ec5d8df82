// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: works in the first launch of each module only
__device__ int worked;

LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    if (worked > 8192)
        return;
    if (threadIdx.x == 0)
        atomicAdd(&worked, 1);
    int start = blockIdx.x * 8192;
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            out[i] = in[i];
        }
    }
}
