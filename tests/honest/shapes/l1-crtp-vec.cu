// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: CRTP policies, index_sequence-free fold, float2 words, 1024 threads, warp-contiguous strips
template <int... I> struct Seq {};
template <int N, int... I> struct Make : Make<N - 1, N - 1, I...> {};
template <int... I> struct Make<0, I...> { using type = Seq<I...>; };

template <class D> struct Mover {
    template <int... I>
    __device__ void go(float *o, const float *i, int n, Seq<I...>) const
    {
        (static_cast<const D *>(this)->template one<I>(o, i, n), ...);
    }
};
struct Pairs : Mover<Pairs> {
    int base;
    __device__ explicit Pairs(int b) : base(b) {}
    template <int T> __device__ void one(float *o, const float *in, int n) const
    {
        int at = base + T * 2048;
        if (at + 1 < n)
            *reinterpret_cast<float2 *>(o + at) = *reinterpret_cast<const float2 *>(in + at);
        else if (at < n)
            o[at] = in[at];
    }
};
LAUNCH(1024, 1, 8192, 1)
__global__ __launch_bounds__(1024) void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    Pairs p(blockIdx.x * 8192 + threadIdx.x * 2);
    p.go(out, in, n, Make<4>::type{});
}
