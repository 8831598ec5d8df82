// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: one-dimensional block of 1024, elements in Gray-code order within a row of out, Morton-like split of the thread number, __builtin_assume
LAUNCH(1024, 1, 32, 32)

struct Split {
    int along, across;  // within a row of out, and which row
};

static __device__ constexpr Split split(unsigned t)
{
    const unsigned lane = t & 31u, warp = t >> 5;
    return {int(lane ^ lane >> 1), int(31u - warp)};
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const auto [along, across] = split(threadIdx.x);
    const unsigned long long r = blockIdx.y * 32ull + along, c = blockIdx.x * 32ull + across;
    if (r >= (unsigned long long)height || c >= (unsigned long long)width) return;
    out[c * height + r] = __ldg(in + (r * width + c));
}
