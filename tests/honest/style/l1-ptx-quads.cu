// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 16 bytes a lane by inline PTX (ld.global.nc / st.global.cs), eight loads before the first store, ragged end word by word
LAUNCH(256, 1, 8192, 1)

struct Quad {
    float a, b, c, d;
};

__device__ __forceinline__ Quad fetch(const float *from)
{
    Quad q;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(q.a), "=f"(q.b), "=f"(q.c), "=f"(q.d)
                 : "l"(__cvta_generic_to_global(from)));
    return q;
}

__device__ __forceinline__ void put(float *to, const Quad &q)
{
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
                 "f"(q.a), "f"(q.b), "f"(q.c), "f"(q.d)
                 : "memory");
}

__global__ void copy(float *out, const float *in, int n)
{
    constexpr int TURNS = 8, STEP = 256 * 4;
    const int first = blockIdx.x * 8192 + threadIdx.x * 4;

    if (blockIdx.x * 8192 + 8192 <= n) {  // the whole block exists
        Quad hand[TURNS];
#pragma unroll
        for (int turn = 0; turn < TURNS; ++turn)
            hand[turn] = fetch(in + first + turn * STEP);
#pragma unroll
        for (int turn = 0; turn < TURNS; ++turn)
            put(out + first + turn * STEP, hand[turn]);
        return;
    }

    for (int turn = 0, at = first; turn < TURNS && at < n; ++turn, at += STEP) {
        if (n - at >= 4)
            put(out + at, fetch(in + at));
        else
            for (int j = at; j < n; ++j)
                out[j] = in[j];
    }
}
