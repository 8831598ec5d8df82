// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: each thread's number of turns taken apart into powers of two, bursts by template recursion, always neighbours
LAUNCH(256, 1, 8192, 1)

// Moves 2^BITS floats, 256 apart: all loads first, then all stores.
template <int BITS>
__device__ __forceinline__ void burst(float *&out, const float *&in)
{
    constexpr int COUNT = 1 << BITS;
    float held[COUNT];
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        held[j] = in[j * 256];
#pragma unroll
    for (int j = 0; j < COUNT; j++)
        out[j * 256] = held[j];
    in += COUNT * 256;
    out += COUNT * 256;
}

// Every binary digit of `turns` is a burst of its own, from the highest down.
template <int BITS>
struct Digits {
    static __device__ __forceinline__ void move(unsigned turns, float *out, const float *in)
    {
        if (turns >> BITS & 1)
            burst<BITS>(out, in);
        Digits<BITS - 1>::move(turns, out, in);
    }
};

template <>
struct Digits<-1> {
    static __device__ __forceinline__ void move(unsigned, float *, const float *) {}
};

__global__ void __launch_bounds__(256) copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __builtin_assume(n > 0);
    int i = blockIdx.x * 8192 + threadIdx.x;
    if (i >= n)
        return;
    // i, i + 256, ... below n, and never more than 32 of them.
    unsigned turns = min(32u, (unsigned)(n - i + 255) / 256u);
    if (turns == 32) {  // nearly always: four bursts of eight keep registers few
#pragma unroll 1
        for (int quarter = 0; quarter < 4; quarter++) {
            float *to = out + i + quarter * 2048;
            const float *from = in + i + quarter * 2048;
            burst<3>(to, from);
        }
    } else
        Digits<4>::move(turns, out + i, in + i);
}
