// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: a template, a lambda and a range
LAUNCH(256, 1, 8192, 1)

template <int STEP, typename F> __device__ void each(int first, int last, F &&f)
{
    for (int i = first + threadIdx.x; i < last; i += STEP)
        f(i);
}

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    each<256>(start, min(start + 8192, n), [=](int i) { out[i] = in[i]; });
}
