// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads, four outputs: one sum of 17, then plus the new and minus the old
LAUNCH(16, 16, 1024, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[256 + 4];
    const int t = threadIdx.y * 16 + threadIdx.x, base = blockIdx.x * 1024;
    auto get = [&](int q) {  // four floats from base - 8 + 4 q
        int i = base - 8 + 4 * q;
        float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
        if (i >= 0 && i + 3 < n) return *reinterpret_cast<const float4 *>(in + i);
        if (i >= 0 && i < n) v.x = in[i];
        if (i + 1 >= 0 && i + 1 < n) v.y = in[i + 1];
        if (i + 2 >= 0 && i + 2 < n) v.z = in[i + 2];
        return v;
    };
    tile[t] = get(t);
    if (t < 4) tile[256 + t] = get(256 + t);
    __syncthreads();
    const float4 a = tile[t], b = tile[t + 1], c = tile[t + 2], d = tile[t + 3], e = tile[t + 4];
    float4 s;
    s.x = ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w)) + e.x;
    s.y = s.x + (e.y - a.x);
    s.z = s.y + (e.z - a.y);
    s.w = s.z + (e.w - a.z);
    const int o = base + 4 * t;
    if (o + 3 < n) { *reinterpret_cast<float4 *>(out + o) = s; return; }
    if (o < n) out[o] = s.x;
    if (o + 1 < n) out[o + 1] = s.y;
    if (o + 2 < n) out[o + 2] = s.z;
}
