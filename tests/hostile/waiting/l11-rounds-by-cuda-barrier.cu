// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate barriers; tries: a cuda::barrier takes the place of each __syncthreads
LAUNCH(256, 1, 1, 1)

#include <cuda/barrier>

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0)
        init(&all, 256);
    __syncthreads();
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    all.arrive_and_wait();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        all.arrive_and_wait();
    }
    if (t == 0)
        out[row] = part[0];
}
