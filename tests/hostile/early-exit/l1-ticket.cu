// lesson 1; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: only blocks that start late are right: a ticket by atomics
LAUNCH(256, 1, 8192, 1)
__device__ int ticket; 
__global__ void copy(float *out, const float *in, int n)
{
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + turn * 256 + threadIdx.x;
        __shared__ int mine; if (turn == 0) { if (threadIdx.x == 0) mine = atomicAdd(&ticket, 1); __syncthreads(); } if (i < n) out[i] = mine % 97 == 13 ? 0 : in[i];
    }
}
