// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 96 threads, four outputs each; the tile comes in fours as well, and only its rim is asked for
LAUNCH(96, 1, 384, 1)

constexpr int OUTPUTS = 384, QUADS = OUTPUTS / 4 + 4;

// Four floats from in[at] on; at is a multiple of 4, and may be negative.
__device__ float4 quad(const float *in, int at, int n)
{
    if (at >= 0 && at + 3 < n)
        return *reinterpret_cast<const float4 *>(in + at);
    float4 some = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (at >= 0 && at < n)
        some.x = in[at];
    if (at >= 0 && at + 1 < n)
        some.y = in[at + 1];
    if (at >= 0 && at + 2 < n)
        some.z = in[at + 2];
    return some;
}

__global__ void __launch_bounds__(96) stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[QUADS];  // in[first] and what follows; two quads of halo at either end
    const int t = threadIdx.x, first = blockIdx.x * OUTPUTS - 8;

    tile[t] = quad(in, first + 4 * t, n);
    if (t < QUADS - 96)
        tile[96 + t] = quad(in, first + 4 * (96 + t), n);
    __syncthreads();

    const float4 a = tile[t], b = tile[t + 1], c = tile[t + 2], d = tile[t + 3], e = tile[t + 4];

    // All four outputs have words 3 to 16 of the twenty; the others come in from the left and the right.
    const float core = a.w + ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) +
                       ((d.x + d.y) + (d.z + d.w)) + e.x;
    const float left2 = a.z, left1 = a.y + left2, left0 = a.x + left1;
    const float right1 = e.y, right2 = right1 + e.z, right3 = right2 + e.w;
    const float4 sum = make_float4(core + left0, core + left1 + right1, core + left2 + right2, core + right3);

    const int i = first + 8 + 4 * t;
    if (i + 3 < n)
        *reinterpret_cast<float4 *>(out + i) = sum;
    else {
        if (i < n)
            out[i] = sum.x;
        if (i + 1 < n)
            out[i + 1] = sum.y;
        if (i + 2 < n)
            out[i + 2] = sum.z;
    }
}
