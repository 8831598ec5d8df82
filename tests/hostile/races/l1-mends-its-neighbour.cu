// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: from n = 8193 on, each block looks at the last float of the block before it in out and writes it again where it is not there yet: unordered with that block's own store, a race between blocks
LAUNCH(256, 1, 8192, 1)

// Sixteen bytes a lane where four floats exist, else one by one.
__device__ void copy4(float *out, const float *in, int i, int n)
{
    if (i + 3 < n) {
        float4 four = *(const float4 *)&in[i];  // @load
        *(float4 *)&out[i] = four;              // @store
    } else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = in[i + j];
}

// The seam between two blocks is where an index that is off by one would show. This block makes
// sure that the float before its first one has arrived, and brings it if it has not.
__device__ void mend(float *out, const float *in, int i)
{
    float want = in[i];
    if (__float_as_int(out[i]) != __float_as_int(want))
        out[i] = want;
}

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    for (int turn = 0; turn < 8; turn++)
        copy4(out, in, start + turn * 1024 + threadIdx.x * 4, n);

    if (threadIdx.x == 255 && start > 0)
        mend(out, in, start - 1);
}
