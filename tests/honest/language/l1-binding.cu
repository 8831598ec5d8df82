// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: structured bindings, uint4 where it fits, an int overflow avoided
LAUNCH(256, 1, 8192, 1)

struct Span {
    unsigned begin, end;
};

__device__ constexpr Span span_of(unsigned block, unsigned n)
{
    return {block * 8192u, block * 8192u + 8192u < n ? block * 8192u + 8192u : n};
}

__global__ void copy(float *out, const float *in, int n)
{
    auto [begin, end] = span_of(blockIdx.x, n);
    unsigned i = begin + 4 * threadIdx.x;
    for (; i + 4 <= end; i += 1024)
        *reinterpret_cast<uint4 *>(out + i) = *reinterpret_cast<const uint4 *>(in + i);
    if (i < end)
        for (unsigned j = i; j < end; j++)
            out[j] = in[j];
}
