// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: a range of indices with begin and end, C++17
LAUNCH(256, 1, 8192, 1)
struct strided_range {
    struct iterator {
        int at, step, end;
        __device__ int operator*() const { return at; }
        __device__ iterator &operator++() { at += step; return *this; }
        __device__ bool operator!=(const iterator &) const { return at < end; }
    };
    int first, step, last;
    __device__ iterator begin() const { return {first, step, last}; }
    __device__ iterator end() const { return {last, step, last}; }
};
struct limits { int first, last; };
__device__ constexpr limits mine(int block, int n)
{
    const int first = block * 8192, last = first + 8192;
    return {first, last < n ? last : n};
}
__global__ void copy(float *out, const float *in, int n)
{
    const auto [first, last] = mine(blockIdx.x, n);
    for (int i : strided_range{first + (int)threadIdx.x, (int)blockDim.x, last})
        out[i] = in[i];
}
