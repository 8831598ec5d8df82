// lesson 3; device sim; nvcc,clang; want: full; tries: the two halves are noinline functions that are called through a table of function pointers in constant memory
LAUNCH(32, 32, 32, 32)

struct Job {
    float *out;
    const float *in;
    float *tile;  // 32 rows of 32
    int width, height;
};

__device__ __noinline__ void bring(Job job)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < job.height && column < job.width)
        job.tile[threadIdx.y * 32 + threadIdx.x] = job.in[(size_t)row * job.width + column];
}

__device__ __noinline__ void take_away(Job job)
{
    int column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
    if (row < job.width && column < job.height)
        job.out[(size_t)row * job.height + column] = job.tile[threadIdx.x * 32 + threadIdx.y];
}

typedef void (*Phase)(Job);
__constant__ Phase phases[] = {bring, take_away};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32 * 32];
    const Job job = {out, in, tile, width, height};

#pragma unroll 1
    for (int p = 0; p < 2; ++p) {
        phases[p](job);
        __syncthreads();  // between the phases; behind the last one it does no harm
    }
}
