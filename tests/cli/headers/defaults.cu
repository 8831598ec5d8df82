// Templates whose parameters have defaults, of which launches make two instances; and a macro in a kernel's head.
#define BOUNDS(n) __launch_bounds__(n)

template <int T = 32> __global__ void twice(float *a)
{
    a[threadIdx.x] *= 2 * T;
}

template <int T = 32> __global__ void thrice(float *a)
{
    a[threadIdx.x] *= 3 * T;
}

template <typename T> __global__ BOUNDS(128) void copy(const T *in, T *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

void launch(float *a)
{
    twice<16><<<1, 32>>>(a);
    twice<<<1, 32>>>(a);
    copy<float><<<1, 32>>>(a, a);
}
