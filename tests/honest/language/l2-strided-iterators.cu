// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: two strided iterators and a copy loop that loads one element ahead; a thread has four columns
LAUNCH(32, 8, 32, 32)

// A random-access iterator that steps by a distance of its own, as Thrust's example has it.
template <class T>
class strided_iterator {
    T *place;
    long long stride;

public:
    __device__ strided_iterator(T *p, long long s) : place(p), stride(s) {}
    __device__ T &operator*() const { return *place; }
    __device__ strided_iterator &operator++()
    {
        place += stride;
        return *this;
    }
};

// As std::copy_n, but the next element is on its way before this one is stored.
template <class From, class To>
__device__ void copy_ahead(From from, int count, To to)
{
    if (count <= 0)
        return;
    float now = *from;
    while (--count > 0) {
        ++from;
        const float next = *from;
        *to = now;
        ++to;
        now = next;
    }
    *to = now;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const int row = blockIdx.y * 32 + threadIdx.x;          // of in; lanes stand below each other
    const int column = blockIdx.x * 32 + threadIdx.y * 4;   // the first of four

    if (row < height)
        copy_ahead(strided_iterator<const float>(in + (long long)row * width + column, 1),
                   min(4, width - column),
                   strided_iterator<float>(out + (long long)column * height + row, height));
}
