// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: constants, a template for the window, an array in a struct
LAUNCH(128, 1, 512, 1)

constexpr int THREADS = 128, EACH = 4, RADIUS = 8, TILE = THREADS * EACH + 2 * RADIUS;

template <int N>
struct window {
    static_assert(N % 4 == 0, "whole quads");
    float at[N];
    __device__ explicit window(const float4 *from)
    {
#pragma unroll
        for (int q = 0; q < N / 4; ++q)
            *reinterpret_cast<float4 *>(at + 4 * q) = from[q];
    }
    __device__ float sum(int from) const
    {
        float sum = 0;
#pragma unroll
        for (int d = 0; d <= 2 * RADIUS; ++d)
            sum += at[from + d];
        return sum;
    }
};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 quads[TILE / 4];
    float *tile = reinterpret_cast<float *>(quads);
    const int first = blockIdx.x * THREADS * EACH - RADIUS;
    const auto get = [in, n](int i) { return (unsigned)i < (unsigned)n ? in[i] : 0.0f; };
#pragma unroll
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        tile[k] = get(first + k);
    __syncthreads();
    const window<EACH + 2 * RADIUS> mine(quads + threadIdx.x);
    const float4 sums = {mine.sum(0), mine.sum(1), mine.sum(2), mine.sum(3)};
    const int i = blockIdx.x * THREADS * EACH + EACH * threadIdx.x;
    if (i + 4 <= n)
        reinterpret_cast<float4 *>(out)[i / 4] = sums;
    else {
        if (i < n)
            out[i] = sums.x;
        if (i + 1 < n)
            out[i + 1] = sums.y;
        if (i + 2 < n)
            out[i + 2] = sums.z;
    }
}
