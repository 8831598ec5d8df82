// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a lane reads 16 bytes of its own row (strided reads, a quarter of the requests) and a recursive template writes four rows of out
LAUNCH(32, 8, 32, 32)

using Index = unsigned long long;

struct Quad {
    float value[4];
};

// Element J of the quad belongs to the row of out that lies J rows further.
template <int J>
struct Deal {
    static __device__ __forceinline__ void out(float *to, Index pitch, const Quad &quad, int have)
    {
        if (J < have)
            to[J * pitch] = quad.value[J];
        Deal<J + 1>::out(to, pitch, quad, have);
    }
};

template <>
struct Deal<4> {
    static __device__ __forceinline__ void out(float *, Index, const Quad &, int) {}
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const int row = blockIdx.y * 32 + threadIdx.x;         // lanes go down the rows of in
    const int column = blockIdx.x * 32 + threadIdx.y * 4;  // a warp has four columns
    const int have = min(4, width - column);
    if (row >= height || have <= 0)
        return;

    const float *from = in + Index(row) * width + column;
    Quad quad;
    if (width % 4 == 0) {  // rows begin at multiples of 16 bytes: all four exist
        const float4 four = *reinterpret_cast<const float4 *>(from);
        quad = {four.x, four.y, four.z, four.w};
    } else {
#pragma unroll
        for (int j = 0; j < 4; j++)
            quad.value[j] = j < have ? from[j] : 0.0f;
    }
    Deal<0>::out(out + Index(column) * height + row, height, quad, have);
}
