// What a launch wrote, read as data that nobody writes (ld.global.nc).

//: written_by_its_block 1 64 : written-read-only r w
__global__ void written_by_its_block(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t]; // @w
    __syncthreads();
    out[64 + t] = __ldg(&out[63 - t]); // @r
}

//: written_by_the_thread 1 32 : written-read-only r w
__global__ void written_by_the_thread(const int *in, int *out, int n)
{
    int t = threadIdx.x, v;
    out[t] = in[t]; // @w
    asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(v) : "l"(out + t) : "memory"); // @r
    out[32 + t] = v;
}

__device__ int tickets;

//: handed_over_by_ticket 4 32 : written-read-only r w
__global__ void handed_over_by_ticket(int *in, int *out, int n)
{
    __shared__ int last;
    int t = threadIdx.x;
    out[blockIdx.x * 32 + t] = t + 1; // @w
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&tickets, 1);
    __syncthreads();
    __threadfence();
    if (last == 3)
        out[128 + t] = __ldg(&out[t]); // @r
}
