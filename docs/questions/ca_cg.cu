// The same 2 KB into shared memory: four bytes a lane through L1 (.ca), sixteen bytes a lane past it (.cg).
#include <cuda_pipeline.h>

__device__ float in[512], out[32];

__global__ void copies()
{
    __shared__ float words[512], strided[1024];
    __shared__ float4 quads[128], apart[256];
    int t = threadIdx.x;
    for (int i = 0; i < 16; i++)
        __pipeline_memcpy_async(&words[i * 32 + t], &in[i * 32 + t], 4);          // .ca
    for (int i = 0; i < 16; i++)
        __pipeline_memcpy_async(&strided[(i * 32 + t) * 2], &in[i * 32 + t], 4);  // .ca, every second word
    for (int i = 0; i < 4; i++)
        __pipeline_memcpy_async(&quads[i * 32 + t], &in[(i * 32 + t) * 4], 16);   // .cg
    for (int i = 0; i < 4; i++)
        __pipeline_memcpy_async(&apart[(i * 32 + t) * 2], &in[(i * 32 + t) * 4], 16);  // .cg, every second place
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = words[t] + strided[t * 2] + quads[t].x + apart[t * 2].x;
}
