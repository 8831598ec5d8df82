// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: each warp has a tile of 128 outputs and a halo of its own, so __syncwarp() will do; class templates for the window
LAUNCH(256, 1, 1024, 1)

constexpr int lanes = 32, radius = 8, each = 4, share = lanes * each;  // outputs of a warp
constexpr int quads = (share + 2 * radius) / 4;                        // 36 in a warp's tile

// N words that slide along a row.
template <int N>
class Window {
    float words_[N];

public:
    __device__ explicit Window(const float4 *from)
    {
        static_assert(N % 4 == 0);
#pragma unroll
        for (int q = 0; q < N / 4; q++) {
            const auto [x, y, z, w] = from[q];
            words_[4 * q] = x;
            words_[4 * q + 1] = y;
            words_[4 * q + 2] = z;
            words_[4 * q + 3] = w;
        }
    }

    template <int First, int Count>
    __device__ float sum() const
    {
        if constexpr (Count == 1)
            return words_[First];
        else  // in halves, so that the additions need not wait in a row
            return sum<First, Count / 2>() + sum<First + Count / 2, Count - Count / 2>();
    }
};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 tiles[8][quads];

    const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
    const int first = blockIdx.x * 1024 + warp * share;  // output
    if (first >= n)
        return;  // a whole warp, and no other waits for it
    float4 *const tile = tiles[warp];

    for (int q = lane; q < quads; q += lanes) {
        const int i = first - radius + 4 * q;
        float4 v = make_float4(0, 0, 0, 0);
        if (i >= 0 && i + 3 < n) {
            v = *reinterpret_cast<const float4 *>(in + i);
        } else if (i >= 0) {  // the end of the array, perhaps in the middle of four
            if (i < n)
                v.x = in[i];
            if (i + 1 < n)
                v.y = in[i + 1];
            if (i + 2 < n)
                v.z = in[i + 2];
        }
        tile[q] = v;
    }
    __syncwarp();

    const Window<20> window(tile + lane);
    const float middle = window.sum<3, 14>();
    const float4 sums = make_float4(middle + window.sum<0, 3>(),
                                    middle + window.sum<1, 2>() + window.sum<17, 1>(),
                                    middle + window.sum<2, 1>() + window.sum<17, 2>(),
                                    middle + window.sum<17, 3>());

    const int i = first + each * lane;
    if (i + 3 < n) {
        *reinterpret_cast<float4 *>(out + i) = sums;
    } else {
        if (i < n)
            out[i] = sums.x;
        if (i + 1 < n)
            out[i + 1] = sums.y;
        if (i + 2 < n)
            out[i + 2] = sums.z;
    }
}
