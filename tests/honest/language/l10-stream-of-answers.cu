// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: the answers go through an overloaded << of a small stream that repeats a run by operator *, written by lane 31 instead of lane 0; right, each of the 25 is the count of wavefronts by the lesson's rules
struct Times {
    int value, count;
};

struct Sheet {
    int *next;
    __device__ Sheet &operator<<(int value)
    {
        *next++ = value;
        return *this;
    }
    __device__ Sheet &operator<<(Times t)
    {
        while (t.count-- > 0)
            *this << t.value;
        return *this;
    }
};

enum class Ways : int {};
__device__ constexpr Ways operator""_way(unsigned long long ways) { return Ways(ways); }
__device__ inline Times operator*(Ways ways, int count) { return {int(ways), count}; }

__global__ void answers(int *out)
{
    if (threadIdx.x == 31)
        Sheet{out} << 1_way * 1 << 2_way * 1 << 1_way * 1 << 8_way * 1 << 4_way * 1 << 32_way * 1 << 1_way * 1  // strides
                   << 1_way * 2 << 2_way * 1 << 1_way * 1 << 4_way * 1 << 1_way * 1                            // shared words
                   << 16_way * 1 << 2_way * 1 << 1_way * 2                                                     // sleepers, stores, bytes
                   << 2_way * 1 << 4_way * 1 << 8_way * 1 << 2_way * 1 << 4_way * 2                            // wide
                   << 32_way * 1 << 4_way * 1;                                                                 // ldmatrix
}
