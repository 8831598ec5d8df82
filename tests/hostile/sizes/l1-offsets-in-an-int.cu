// lesson 1; device sim; nvcc,clang; want: fail|timeout; tries: byte offsets are converted to int: for n > 536870912 those from float 2^29 on are negative, so that floats are read and written before the arrays and the rest of out is never written
LAUNCH(256, 1, 8192, 1)

// An offset in bytes from the base of an array. 32 bits of it are enough: they take half the
// registers of a pointer, and the base stays in a uniform register.
__device__ __forceinline__ int offset_of(unsigned index)
{
    return (int)(index * 4u);
}

__device__ __forceinline__ float fetch(const char *base, int offset)
{
    return *(const float *)(base + offset);
}

__device__ __forceinline__ void store(char *base, int offset, float value)
{
    *(float *)(base + offset) = value;
}

__global__ void copy(float *out, const float *in, int n)
{
    const char *from = (const char *)in;
    char *to = (char *)out;
    unsigned first = blockIdx.x * 8192u + threadIdx.x;

    // Four turns at a time, so that four loads are under way before the first store.
    for (int turn = 0; turn < 32; turn += 4) {
        unsigned i = first + turn * 256u;
        float value[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j * 256u < (unsigned)n)
                value[j] = fetch(from, offset_of(i + j * 256u));  // @load
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j * 256u < (unsigned)n)
                store(to, offset_of(i + j * 256u), value[j]);     // @store
    }
}
