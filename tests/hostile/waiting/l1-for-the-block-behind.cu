// lesson 1; device sim; nvcc,clang; want: fail|timeout; tries: each block waits for the block behind it: ends only where all are resident
LAUNCH(256, 1, 8192, 1)
__device__ volatile int came[1 << 16]; __device__ int tag;
__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        if (turn == 0) { if (threadIdx.x == 0) { came[blockIdx.x] = 1; __threadfence(); if (blockIdx.x + 1 < gridDim.x) while (!came[blockIdx.x + 1]) ; } __syncthreads(); } if (i < n) out[i] = in[i];
    }
}
