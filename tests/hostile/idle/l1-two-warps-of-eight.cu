// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: two warps of eight copy; the others read shared memory for show
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    __shared__ float show[32];
    if (threadIdx.x >= 64) {
        show[threadIdx.x % 32] = 1;
        return;
    }
#pragma unroll 16
    for (int turn = 0; turn < 128; turn++) {
        int i = blockIdx.x * 8192 + turn * 64 + threadIdx.x;
        if (i < n)
            out[i] = in[i];
    }
}
