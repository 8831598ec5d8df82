// The bones of a tiled product with one buffer or two of 16 KB, in blocks of 128 threads.
#ifndef BUFFERS
#define BUFFERS 2
#endif
__device__ float in[8][4096], out[256][128];

__global__ void buffers()
{
    __shared__ float tile[BUFFERS][4096];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = t; i < 4096; i += 128)
        tile[0][i] = in[0][i];
    for (int step = 0; step < 8; step++) {
        float *now = tile[step % BUFFERS], *next = tile[(step + 1) % BUFFERS];
        __syncthreads();
        if (BUFFERS == 2 && step < 7)
            for (int i = t; i < 4096; i += 128)
                next[i] = in[step + 1][i];
        for (int i = t; i < 4096; i += 128)
            sum += now[i];
        if (BUFFERS == 1 && step < 7) {
            __syncthreads();
            for (int i = t; i < 4096; i += 128)
                next[i] = in[step + 1][i];
        }
    }
    out[blockIdx.x][t] = sum;
}
