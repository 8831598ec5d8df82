// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a recursive template adds four sums in registers
LAUNCH(512, 1, 16, 1)

template <int S>
__device__ float all(float sum)
{
    sum += __shfl_xor_sync(0xffffffff, sum, S);
    if constexpr (S > 1)
        return all<S / 2>(sum);
    else
        return sum;
}

struct four {
    float4 at = {};
    __device__ four &operator+=(const float4 &q)
    {
        at.x += q.x;
        at.y += q.y;
        at.z += q.z;
        at.w += q.w;
        return *this;
    }
    __device__ explicit operator float() const { return at.x + at.y + (at.z + at.w); }
};

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const unsigned lane = threadIdx.x & 31u, row = blockIdx.x * 16u + (threadIdx.x >> 5);
    if (row >= (unsigned)rows)
        return;
    const float *__restrict__ mine = in + (size_t)row * cols;
    four sums;
    unsigned i = lane;
    if (!(cols & 3))
        for (; i < (unsigned)cols / 4; i += 32)
            sums += reinterpret_cast<const float4 *>(mine)[i];
    else
        for (; i < (unsigned)cols; i += 32)
            sums += make_float4(mine[i], 0, 0, 0);
    const float sum = all<16>((float)sums);
    if (!lane)
        out[row] = sum;
}
