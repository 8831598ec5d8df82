// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads numbered flat, a shared array of structs of four floats, a helper that returns the window of 20 as a struct, recursive templates slide it to four outputs; halo filled with zeros by all, one barrier; right for every n
LAUNCH(16, 16, 1024, 1)

struct __align__(16) Quad { float x[4]; };
struct Window { float w[20]; };

__device__ __forceinline__ Window window_at(const Quad *tile, int q)
{
    Window window;
#pragma unroll
    for (int j = 0; j < 5; j++) {
        const float4 four = *reinterpret_cast<const float4 *>(&tile[q + j]);
        window.w[4 * j] = four.x;
        window.w[4 * j + 1] = four.y;
        window.w[4 * j + 2] = four.z;
        window.w[4 * j + 3] = four.w;
    }
    return window;
}

template <int First, int Count> struct Sum {
    static __device__ __forceinline__ float of(const Window &w)
    {
        return Sum<First, Count / 2>::of(w) + Sum<First + Count / 2, Count - Count / 2>::of(w);
    }
};
template <int First> struct Sum<First, 1> {
    static __device__ __forceinline__ float of(const Window &w) { return w.w[First]; }
};

__global__ void __launch_bounds__(256) stencil(float *out, const float *in, int n)
{
    __shared__ Quad tile[260];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const long long first = blockIdx.x * 1024ll;

    for (int e = t; e < 1040; e += 256) {
        const long long i = first + e - 8;
        tile[e / 4].x[e % 4] = i < 0 ? 0.0f : i >= n ? 0.0f : in[i];
    }
    __syncthreads();

    const long long i = first + t * 4;
    if (i >= n)
        return;
    const Window w = window_at(tile, t);
    const float middle = Sum<3, 14>::of(w);  // what all four outputs have in common
    const float o0 = middle + ((w.w[0] + w.w[1]) + w.w[2]);
    const float o1 = middle + ((w.w[1] + w.w[2]) + w.w[17]);
    const float o2 = middle + ((w.w[2] + w.w[17]) + w.w[18]);
    const float o3 = middle + ((w.w[17] + w.w[18]) + w.w[19]);
    switch (n - i) {
    case 1: out[i] = o0; break;
    case 2: out[i] = o0, out[i + 1] = o1; break;
    case 3: out[i] = o0, out[i + 1] = o1, out[i + 2] = o2; break;
    default: *reinterpret_cast<float4 *>(out + i) = make_float4(o0, o1, o2, o3);
    }
}
