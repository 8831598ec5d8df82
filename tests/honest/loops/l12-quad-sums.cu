// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: the tile keeps the sum of each quad beside the quad: of the 20 words that four outputs want, twelve are three such sums, and only the outer two quads are read as words
LAUNCH(256, 1, 1024, 1)

constexpr int THREADS = 256, QUADS = THREADS + 4;  // two quads of halo on either side

__device__ float4 quad_of(const float *in, long long quad, int n)
{
    const long long i = quad * 4;
    if (i >= 0 && i + 4 <= n)
        return *(const float4 *)(in + i);
    float4 part = {0, 0, 0, 0};
    if (i >= 0) {  // what is left of the array: none, one, two or three floats
        if (i < n)
            part.x = in[i];
        if (i + 1 < n)
            part.y = in[i + 1];
        if (i + 2 < n)
            part.z = in[i + 2];
    }
    return part;
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 quads[QUADS];
    __shared__ float sums[QUADS];

    const int t = threadIdx.x;
    const long long first = (long long)blockIdx.x * THREADS - 2;  // quad 0 of the tile

    auto bring = [&](int at) {
        const float4 q = quad_of(in, first + at, n);
        quads[at] = q;
        sums[at] = (q.x + q.y) + (q.z + q.w);
    };
    bring(t);
    if (t < QUADS - THREADS)
        bring(THREADS + t);
    __syncthreads();

    // Outputs 4 t … 4 t + 3 are quad t + 2 of the tile. All want quads t + 1, t + 2 and t + 3 as a whole,
    // the end of quad t from their own place on, and the start of quad t + 4 up to it.
    const float core = sums[t + 1] + sums[t + 2] + sums[t + 3];
    const float4 before = quads[t], after = quads[t + 4];
    float4 result;
    result.w = core + before.w + ((after.x + after.y) + (after.z + after.w));
    result.z = core + (before.z + before.w) + (after.x + after.y + after.z);
    result.y = core + (before.y + before.z + before.w) + (after.x + after.y);
    result.x = core + ((before.x + before.y) + (before.z + before.w)) + after.x;

    const long long i = (first + 2 + t) * 4;
    if (i + 4 <= n)
        *(float4 *)(out + i) = result;
    else {
        if (i < n)
            out[i] = result.x;
        if (i + 1 < n)
            out[i + 1] = result.y;
        if (i + 2 < n)
            out[i + 2] = result.z;
    }
}
