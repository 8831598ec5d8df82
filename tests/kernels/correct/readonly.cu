// ld.global.nc of what nobody writes, and ordinary loads of what somebody wrote.

//: read_only_and_written 1 64 :
__global__ void read_only_and_written(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = __ldg(&in[t]);
    __syncthreads();
    out[64 + t] = ((volatile int *)out)[63 - t];
}

__device__ int tickets;

//: last_block_reads 4 32 :
__global__ void last_block_reads(int *in, int *out, int n)
{
    __shared__ int last;
    int t = threadIdx.x;
    out[blockIdx.x * 32 + t] = t + 1;
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&tickets, 1);
    __syncthreads();
    __threadfence();
    if (last == 3)
        out[128 + t] = __ldcg(&out[t]);
}
