// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: an iterator class and a range-based for over a strided range
class Strided {
    int from, to, step;
public:
    struct It { int i, step; __device__ int operator*() const { return i; } __device__ It &operator++() { i += step; return *this; } __device__ bool operator!=(const It &o) const { return i < o.i; } };
    __device__ Strided(int f, int t, int s) : from(f), to(t), step(s) {}
    __device__ It begin() const { return {from, step}; }
    __device__ It end() const { return {to, step}; }
};
LAUNCH(256, 1, 8192, 1)
__global__ void copy(float *out, const float *in, int n)
{
    const int first = blockIdx.x * 8192;
    for (int i : Strided(first + threadIdx.x, min(n, first + 8192), blockDim.x))
        __stcs(out + i, __ldcs(in + i));
}
