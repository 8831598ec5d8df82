// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: SYCL style: an nd_item and accessors, parallel_for over a lambda, each turn all 256 items take neighbouring float4s, and the last n % 4 floats one by one; right for every n
LAUNCH(256, 1, 8192, 1)

namespace sycl {
struct nd_item {
    __device__ size_t get_local_id() const { return threadIdx.x; }
    __device__ size_t get_local_range() const { return blockDim.x; }
    __device__ size_t get_group() const { return blockIdx.x; }
};
template <typename T> struct accessor {
    T *data;
    size_t count;
    __device__ T &operator[](size_t i) const { return data[i]; }
    __device__ size_t size() const { return count; }
};
template <typename F> __device__ void parallel_for(F f) { f(nd_item()); }
}

__global__ void copy(float *out, const float *in, int n)
{
    using namespace sycl;
    accessor<float> to{out, (size_t)n};
    accessor<const float> from{in, (size_t)n};
    accessor<float4> to4{reinterpret_cast<float4 *>(out), (size_t)n / 4};
    accessor<const float4> from4{reinterpret_cast<const float4 *>(in), (size_t)n / 4};

    parallel_for([=](nd_item item) {
        constexpr size_t quads = 8192 / 4;
        const size_t begin = item.get_group() * quads, end = begin + quads;
        for (size_t i = begin + item.get_local_id(); i < end; i += item.get_local_range()) {
            if (i < from4.size())
                to4[i] = from4[i];
            else if (i == from4.size())  // the quad that is not whole
                for (size_t j = i * 4; j < from.size(); ++j)
                    to[j] = from[j];
        }
    });
}
