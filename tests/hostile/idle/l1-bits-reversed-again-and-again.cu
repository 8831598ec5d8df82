// lesson 1; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: coalesced, but each float passes 32 BREVs (16 lanes a clock on sm_90) that undo each other: at least 2.5 times slower than the solution on an H200.
LAUNCH(256, 1, 8192, 1)

__device__ __forceinline__ unsigned turned(unsigned x)
{
    unsigned y;
    asm volatile("brev.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    unsigned key = n, back = turned(key);

    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (i < n) {
            unsigned x = __float_as_uint(in[i]);  // @load
#pragma unroll
            for (int j = 0; j < 16; j++)          // brev(brev(x) ^ key) ^ brev(key) is x
                x = turned(turned(x) ^ key) ^ back;
            out[i] = __uint_as_float(x);          // @store
        }
    }
}
