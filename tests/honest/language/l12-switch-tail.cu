// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: one output a thread; sums of two, four, eight by steps in registers and float4
LAUNCH(256, 1, 1024, 1)
__device__ __forceinline__ float hsum(float4 f) { return (f.x + f.y) + (f.z + f.w); }
__global__ void stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    extern __shared__ char none[];
    __shared__ float4 tile[260];
    const int base = (int)blockIdx.x * 1024;
    for (int j = threadIdx.x; j < 260; j += blockDim.x) {
        const int i = base - 8 + 4 * j;
        float4 f = make_float4(0, 0, 0, 0);
        if (i >= 0 && i + 4 <= n) f = *reinterpret_cast<const float4 *>(in + i);
        else {
            if (i >= 0 && i < n) f.x = in[i];
            if (i + 1 >= 0 && i + 1 < n) f.y = in[i + 1];
            if (i + 2 >= 0 && i + 2 < n) f.z = in[i + 2];
            if (i + 3 >= 0 && i + 3 < n) f.w = in[i + 3];
        }
        tile[j] = f;
    }
    __syncthreads();
    const int t = threadIdx.x;
    float4 a = tile[t], b = tile[t + 1], c = tile[t + 2], d = tile[t + 3], e = tile[t + 4];
    float mid = hsum(b) + hsum(c) + hsum(d);
    float r[4] = {mid + hsum(a) + e.x, mid + a.y + a.z + a.w + e.x + e.y, mid + a.z + a.w + e.x + e.y + e.z, mid + a.w + hsum(e)};
    const int o = base + 4 * t;
    switch (n - o) {
    default: if (o < n) { *reinterpret_cast<float4 *>(out + o) = make_float4(r[0], r[1], r[2], r[3]); } break;
    case 3: out[o + 2] = r[2];  // falls through
    case 2: out[o + 1] = r[1];  // falls through
    case 1: out[o] = r[0];
    }
}
