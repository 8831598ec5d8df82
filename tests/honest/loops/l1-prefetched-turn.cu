// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: two turns under way at once, by hand, with __ldcs and __stcs
LAUNCH(128, 1, 1024, 1)

__global__ void __launch_bounds__(128) copy(float *out, const float *in, int n)
{
    float held[8];
    int first = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 8; j++)
        held[j] = first + j * 128 < n ? __ldcs(in + first + j * 128) : 0;
#pragma unroll
    for (int j = 0; j < 8; j++)
        if (first + j * 128 < n)
            __stcs(out + first + j * 128, held[j]);
}
