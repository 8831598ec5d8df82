// Blocks that hand on what they wrote through flags in global memory.
__device__ int handed[64], parts[40 * 64], roots[64];
__device__ volatile int flags[64];

// The first block's numbers come to the last one by way of the two between.
//: by_way_of_others 4 64 :
__global__ void by_way_of_others(const int *in, int *out, int n)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (b > 0 && t == 0) {
        while (!flags[b - 1])
            ;
        __threadfence();
    }
    __syncthreads();
    if (b == 0)
        handed[t] = in[t] + 3;
    if (b == 3)
        out[t] = handed[63 - t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        flags[b] = 1;
    }
}

// Each block waits for all, at a flag of each.
//: forty_flags 40 64 :
__global__ void forty_flags(const int *in, int *out, int n)
{
    int t = threadIdx.x, b = blockIdx.x, sum = 0;
    parts[b * 64 + t] = in[t] + b;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        flags[b] = 1;
    }
    if (t < gridDim.x) {
        while (!flags[t])
            ;
        __threadfence();
    }
    __syncthreads();
    for (int i = 0; i < gridDim.x; i++)
        sum += parts[i * 64 + t];
    out[b * 64 + t] = sum;
}

// Lanes that follow one path write one volatile root.
//: paths_that_meet 2 64 :
__global__ void paths_that_meet(const int *in, int *out, int n)
{
    volatile int *root = roots;
    int i = threadIdx.x / 8 * 8;
    root[i] = in[i] & 7;
    out[blockIdx.x * 64 + threadIdx.x] = root[i] + 1;
}
