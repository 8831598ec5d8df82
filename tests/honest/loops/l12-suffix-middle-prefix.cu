// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 48 x 4 threads, tile of 196 quads filled a quad at a time (by floats only where the data end); of five quads each of four outputs adds a suffix of the first, the middle three, and a prefix of the last, no subtraction
LAUNCH(48, 4, 768, 1)

struct Quad {
    float4 v;
    __device__ Quad(float4 from) : v(from) {}
    __device__ float all() const { return (v.x + v.y) + (v.z + v.w); }
};

__global__ void __launch_bounds__(192) stencil(float *out, const float *in, int n)
{
    constexpr int THREADS = 192, QUADS = THREADS + 4;
    __shared__ float4 tile[QUADS];
    const int t = threadIdx.y * 48 + threadIdx.x, first = blockIdx.x * THREADS;  // in quads

    for (int q = t; q < QUADS; q += THREADS) {
        const int at = 4 * (first - 2 + q);
        float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
        if (at >= 0) {
            if (at + 3 < n)
                v = *reinterpret_cast<const float4 *>(in + at);
            else
                switch (n - at) {
                case 3: v.z = in[at + 2];  // and on
                case 2: v.y = in[at + 1];
                case 1: v.x = in[at];
                default:;
                }
        }
        tile[q] = v;
    }
    __syncthreads();

    const float4 a = tile[t], e = tile[t + 4];
    const float middle = Quad(tile[t + 1]).all() + Quad(tile[t + 2]).all() + Quad(tile[t + 3]).all();
    const float s3 = a.w, s2 = a.z + s3, s1 = a.y + s2, s0 = a.x + s1;
    const float p0 = e.x, p1 = p0 + e.y, p2 = p1 + e.z, p3 = p2 + e.w;
    const float4 sums = make_float4(s0 + middle + p0, s1 + middle + p1, s2 + middle + p2, s3 + middle + p3);

    const int i = 4 * (first + t);
    if (i + 3 < n)
        *reinterpret_cast<float4 *>(out + i) = sums;
    else {
        if (i < n) out[i] = sums.x;
        if (i + 1 < n) out[i + 1] = sums.y;
        if (i + 2 < n) out[i + 2] = sums.z;
    }
}
