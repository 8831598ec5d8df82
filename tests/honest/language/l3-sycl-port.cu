// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: a port from SYCL: nd_item, local_accessor with proxy rows, group_barrier, command functor
namespace sycl
{
template <int D>
struct id {
    int v[D];
    __device__ int operator[](int i) const { return v[i]; }
};

struct group {
    __device__ id<2> get_group_id() const { return {{(int)blockIdx.y, (int)blockIdx.x}}; }
};

struct nd_item {
    __device__ group get_group() const { return {}; }
    __device__ id<2> get_local_id() const { return {{(int)threadIdx.y, (int)threadIdx.x}}; }
    __device__ int get_local_range(int i) const { return i == 0 ? blockDim.y : blockDim.x; }
};

__device__ inline void group_barrier(group) { __syncthreads(); }

template <typename T, int ROWS, int PITCH>
struct local_accessor {
    T *data;
    struct row {
        T *data;
        __device__ T &operator[](int c) const { return data[c]; }
    };
    __device__ row operator[](int r) const { return {data + r * PITCH}; }
};

template <typename T>
struct accessor {
    T *data;
    int rows, columns;
    __device__ bool holds(id<2> at) const { return at[0] < rows && at[1] < columns; }
    __device__ T &operator[](id<2> at) const { return data[at[0] * columns + at[1]]; }
};
}  // namespace sycl

LAUNCH(32, 16, 32, 32)

struct Transpose {
    sycl::accessor<float> out;
    sycl::accessor<const float> in;
    sycl::local_accessor<float, 32, 33> tile;

    __device__ void operator()(sycl::nd_item item) const
    {
        auto block = item.get_group().get_group_id();
        auto me = item.get_local_id();
        for (int j = me[0]; j < 32; j += item.get_local_range(0)) {
            sycl::id<2> at{{block[0] * 32 + j, block[1] * 32 + me[1]}};
            if (in.holds(at))
                tile[j][me[1]] = in[at];
        }
        sycl::group_barrier(item.get_group());
        for (int j = me[0]; j < 32; j += item.get_local_range(0)) {
            sycl::id<2> at{{block[1] * 32 + j, block[0] * 32 + me[1]}};
            if (out.holds(at))
                out[at] = tile[me[1]][j];
        }
    }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float local[32 * 33];
    Transpose{{out, width, height}, {in, height, width}, {local}}(sycl::nd_item{});
}
