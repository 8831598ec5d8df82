// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 512 threads, a lambda for each float, streaming hints
constexpr int BLOCK = 8192, THREADS = 512;
LAUNCH(THREADS, 1, BLOCK, 1)

template <int TURNS, class F>
__device__ void each(F &&f)
{
#pragma unroll 8
    for (int turn = 0; turn < TURNS; ++turn)
        f(blockIdx.x * BLOCK + turn * THREADS + threadIdx.x);
}

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    each<BLOCK / THREADS>([&](unsigned i) {
        if (i < (unsigned)n)
            __stcs(out + i, __ldcs(in + i));
    });
}
