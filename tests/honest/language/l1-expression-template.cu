// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: "y = map(x, f)" as an expression template whose assignment is a loop of the block
LAUNCH(256, 1, 4096, 1)

// The base of everything that has a value at each place.
template <class Self>
struct Expression {
    __device__ float at(int i) const { return static_cast<const Self *>(this)->at(i); }
};

struct Source : Expression<Source> {
    const float *first;
    __device__ explicit Source(const float *p) : first(p) {}
    __device__ float at(int i) const { return first[i]; }
};

template <class Inner, class Function>
struct Mapped : Expression<Mapped<Inner, Function>> {
    Inner inner;
    Function function;
    __device__ Mapped(Inner e, Function f) : inner(e), function(f) {}
    __device__ float at(int i) const { return function(inner.at(i)); }
};

template <class Inner, class Function>
__device__ Mapped<Inner, Function> map(Inner inner, Function function)
{
    return Mapped<Inner, Function>(inner, function);
}

// What can be assigned to: this block's part of an array.
class Slice {
    float *first;
    int begin, end;

public:
    __device__ Slice(float *p, int from, int count, int have)
        : first(p), begin(from), end(have - from < count ? have : from + count) {}

    // Neighbours take neighbours, and the block steps over what it has done.
    template <class E>
    __device__ void operator=(const Expression<E> &e)
    {
#pragma unroll 4
        for (int i = begin + (int)threadIdx.x; i < end; i += blockDim.x)
            first[i] = e.at(i);
    }
};

__global__ void copy(float *out, const float *in, int n)
{
    Source x(in);
    Slice y(out, blockIdx.x * 4096, 4096, n);
    y = map(x, [](float value) { return value; });
}
