// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: eight loads, then eight stores, four times
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int first = blockIdx.x * 8192 + threadIdx.x;
#pragma unroll 1
    for (int part = 0; part < 4; part++) {
        float kept[8];
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (first + (part * 8 + j) * 256 < n)
                kept[j] = in[first + (part * 8 + j) * 256];
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (first + (part * 8 + j) * 256 < n)
                out[first + (part * 8 + j) * 256] = kept[j];
    }
}
