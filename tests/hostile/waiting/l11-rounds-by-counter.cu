// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: a counter in shared memory that all threads add to and wait at takes the place of each __syncthreads
LAUNCH(256, 1, 1, 1)

__device__ void meet(unsigned *all, unsigned &target)
{
    __threadfence_block();
    atomicAdd(all, 1);
    target += 256;
    while (atomicAdd(all, 0) < target) {
    }
    __threadfence_block();
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    __shared__ unsigned all;
    unsigned target = 0;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    meet(&all, target);
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        meet(&all, target);
    }
    if (t == 0)
        out[row] = part[0];
}
