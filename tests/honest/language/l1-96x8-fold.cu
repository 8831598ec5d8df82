// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 96 x 8 threads own 9216 floats; twelve streaming loads and then twelve streaming stores by fold expressions over an index pack, with the guard compiled out for whole blocks; neighbours take neighbours in every turn
template <int... I> struct Pack {};
template <int N, int... I> struct Build : Build<N - 1, N - 1, I...> {};
template <int... I> struct Build<0, I...> { using type = Pack<I...>; };

constexpr int WIDE = 96, HIGH = 8, THREADS = WIDE * HIGH, TURNS = 12, OWN = THREADS * TURNS;
LAUNCH(WIDE, HIGH, OWN, 1)

template <bool Whole, int... T>
__device__ __forceinline__ void move(float *__restrict__ out, const float *__restrict__ in, int left, Pack<T...>)
{
    const int t = threadIdx.y * WIDE + threadIdx.x;
    float kept[sizeof...(T)];
    auto take = [&](int turn, float &to) {
        const int i = turn * THREADS + t;
        if constexpr (Whole)
            to = __ldcs(in + i);
        else if (i < left)
            to = __ldcs(in + i);
    };
    auto give = [&](int turn, const float &from) {
        const int i = turn * THREADS + t;
        if constexpr (Whole)
            __stcs(out + i, from);
        else if (i < left)
            __stcs(out + i, from);
    };
    (take(T, kept[T]), ...);
    (give(T, kept[T]), ...);
}

__global__ void copy(float *out, const float *in, int n)
{
    const int start = blockIdx.x * OWN, left = n - start;
    using Turns = typename Build<TURNS>::type;
    if (left >= OWN)
        move<true>(out + start, in + start, left, Turns{});
    else
        move<false>(out + start, in + start, left, Turns{});
}
