// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a one-dimensional block of 1024 threads, lambdas for the addresses in size_t
LAUNCH(1024, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const unsigned id = threadIdx.x;
    const size_t w = width, h = height;
    auto source = [=](size_t r, size_t c) -> const float & { return in[r * w + c]; };
    auto target = [=](size_t r, size_t c) -> float & { return out[c * h + r]; };

    const size_t r = blockIdx.y * size_t(32) + (id & 31u);  // lanes go down in, along out
    const size_t c = blockIdx.x * size_t(32) + (id >> 5);
    if (c < w)
        if (r < h)
            target(r, c) = source(r, c);
}
