// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: a barrier for the whole grid by an atomic counter
LAUNCH(256, 1, 8192, 1)
__device__ unsigned come;
__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (turn == 16) { __syncthreads(); if (threadIdx.x == 0) { __threadfence(); unsigned k = atomicAdd(&come, 1) / gridDim.x; while (*(volatile unsigned *)&come < (k + 1) * gridDim.x) ; } __syncthreads(); } if (i < n) out[i] = in[i];
    }
}
