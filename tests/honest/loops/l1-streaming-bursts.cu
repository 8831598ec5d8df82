// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: bursts of eight streaming 16-byte loads, then eight stores, one template for both widths, alignment asked at run time
LAUNCH(256, 1, 8192, 1)

constexpr unsigned THREADS = 256, SPAN = 8192;

// The block copies `count` items of type T: item by item side by side, BURST loads of a thread
// under way before the first store.
template <unsigned BURST, typename T>
__device__ __forceinline__ void copy_span(T *__restrict__ to, const T *__restrict__ from, unsigned count)
{
    const unsigned t = threadIdx.x;
    unsigned done = 0;
    for (; done + BURST * THREADS <= count; done += BURST * THREADS) {
        T held[BURST];
#pragma unroll
        for (unsigned j = 0; j < BURST; j++)
            held[j] = __ldcs(from + done + j * THREADS + t);
#pragma unroll
        for (unsigned j = 0; j < BURST; j++)
            __stcs(to + done + j * THREADS + t, held[j]);
    }
    for (unsigned i = done + t; i < count; i += THREADS)
        __stcs(to + i, __ldcs(from + i));
}

__global__ void __launch_bounds__(THREADS) copy(float *out, const float *in, int n)
{
    const size_t start = (size_t)blockIdx.x * SPAN;
    if (start >= (size_t)n)
        return;
    const size_t left = (size_t)n - start;
    const unsigned count = left < SPAN ? (unsigned)left : SPAN;
    const float *from = in + start;
    float *to = out + start;

    if ((((size_t)from | (size_t)to) & 15) == 0) {
        const unsigned quads = count / 4;
        copy_span<8>(reinterpret_cast<float4 *>(to), reinterpret_cast<const float4 *>(from), quads);
        const unsigned i = quads * 4 + threadIdx.x;  // at most three floats are left
        if (i < count)
            to[i] = from[i];
    } else
        copy_span<8>(to, from, count);
}
