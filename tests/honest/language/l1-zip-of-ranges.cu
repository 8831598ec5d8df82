// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: range-for over a zip of two strided ranges, structured bindings; each warp walks through 1024 floats of its own
LAUNCH(256, 1, 8192, 1)

namespace walk {

template <typename T>
struct pair_of_references {
    T &left;
    const T &right;
};

// Where a lane stands: a position in two arrays at once.
template <typename T, int Step>
class iterator {
    T *left_;
    const T *right_;
    int at_;

public:
    __device__ constexpr iterator(T *left, const T *right, int at) : left_(left), right_(right), at_(at) {}
    __device__ pair_of_references<T> operator*() const { return {left_[at_], right_[at_]}; }
    __device__ iterator &operator++()
    {
        at_ += Step;
        return *this;
    }
    // The end need not be hit: to have gone past it is enough.
    __device__ friend bool operator!=(const iterator &here, const iterator &end) { return here.at_ < end.at_; }
};

template <typename T, int Step>
class zip {
    T *left_;
    const T *right_;
    int first_, last_;

public:
    __device__ zip(T *left, const T *right, int first, int last) : left_(left), right_(right), first_(first), last_(last) {}
    __device__ auto begin() const { return iterator<T, Step>(left_, right_, first_); }
    __device__ auto end() const { return iterator<T, Step>(left_, right_, last_); }
};

}  // namespace walk

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    constexpr int lanes = 32, share = 8192 / (256 / lanes);  // floats of one warp

    const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    const int first = blockIdx.x * 8192 + warp * share;
    const int last = first + min(share, n - first);  // n - first may be negative: an empty range then

    // The lanes walk together, 32 neighbours at each step; the warps do not walk together.
#pragma unroll 8
    for (auto [to, from] : walk::zip<float, lanes>(out, in, first + lane, last))
        to = from;
}
