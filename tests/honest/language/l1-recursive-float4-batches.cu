// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: float4 copies in one register batch of eight, unrolled by template recursion, scalar tail, runtime alignment test
#include <cstdint>

LAUNCH(256, 1, 8192, 1)

namespace {
constexpr int kThreads = 256, kFloats = 8192, kVecs = kFloats / 4, kBatch = kVecs / kThreads;

// Batch<B> holds B vectors: first all loads, then all stores.
template <int B>
struct Batch {
    float4 head;
    Batch<B - 1> rest;
    __device__ __forceinline__ void load(const float4 *from, int at, int end)
    {
        if (at < end)
            head = __ldcs(from + at);
        rest.load(from, at + kThreads, end);
    }
    __device__ __forceinline__ void store(float4 *to, int at, int end) const
    {
        if (at < end)
            __stcs(to + at, head);
        rest.store(to, at + kThreads, end);
    }
};
template <>
struct Batch<0> {
    __device__ __forceinline__ void load(const float4 *, int, int) {}
    __device__ __forceinline__ void store(float4 *, int, int) const {}
};
}  // namespace

__global__ void copy(float *out, const float *in, int n)
{
    const int start = blockIdx.x * kFloats;
    const int length = min(kFloats, n - start);  // floats of this block; the grid has none without
    const float *from = in + start;
    float *to = out + start;
    const int t = threadIdx.x;

    if (((reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to)) & 15) == 0) {
        const int vecs = length / 4;
        Batch<kBatch> batch;
        batch.load(reinterpret_cast<const float4 *>(from), t, vecs);
        batch.store(reinterpret_cast<float4 *>(to), t, vecs);
        const int tail = vecs * 4 + t;  // at most three floats are left
        if (tail < length)
            to[tail] = from[tail];
    } else {
        for (int i = t; i < length; i += kThreads)
            to[i] = from[i];
    }
}
