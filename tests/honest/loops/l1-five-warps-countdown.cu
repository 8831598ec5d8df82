// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: blocks of 160 threads own 5120 floats, a template slices them with a loop that counts down and unsigned indices
LAUNCH(160, 1, 5120, 1)

template <unsigned THREADS, unsigned EACH>
__device__ __forceinline__ void copy_slice(float *__restrict__ to, const float *__restrict__ from, unsigned count)
{
    unsigned i = threadIdx.x;
#pragma unroll 4
    for (int left = EACH; left > 0; --left, i += THREADS)
        if (i < count)
            to[i] = from[i];
}

__global__ void copy(float *out, const float *in, int n)
{
    constexpr unsigned THREADS = 160, EACH = 32;
    const unsigned size = static_cast<unsigned>(n), start = blockIdx.x * (THREADS * EACH);
    const unsigned count = start < size ? size - start : 0u;
    copy_slice<THREADS, EACH>(out + (count ? start : 0u), in + (count ? start : 0u), count);
}
