// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: each warp has a tile of its own (128 outputs and the halo) and only __syncwarp; what the four outputs share is added once
LAUNCH(128, 1, 512, 1)

__device__ float word(const float *in, int at, int n)
{
    return static_cast<unsigned>(at) < static_cast<unsigned>(n) ? in[at] : 0.0f;
}

__device__ float4 chunk(const float *in, int at, int n)
{
    return at >= 0 && at <= n - 4 ? *reinterpret_cast<const float4 *>(in + at)
                                  : make_float4(word(in, at, n), word(in, at + 1, n), word(in, at + 2, n), word(in, at + 3, n));
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 tiles[4][36];

    const int lane = threadIdx.x % 32;
    float4 *tile = tiles[threadIdx.x / 32];
    const int start = blockIdx.x * 512 + threadIdx.x / 32 * 128;  // the warp's first output

    tile[lane] = chunk(in, start - 8 + 4 * lane, n);
    if (lane < 4)
        tile[32 + lane] = chunk(in, start + 120 + 4 * lane, n);
    __syncwarp();

    const float4 a = tile[lane], b = tile[lane + 1], c = tile[lane + 2], d = tile[lane + 3], e = tile[lane + 4];
    const float common = a.w + ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w)) + e.x;
    float4 r;
    r.x = (a.x + a.y) + a.z + common;
    r.y = (a.y + a.z) + common + e.y;
    r.z = a.z + common + (e.y + e.z);
    r.w = common + (e.y + e.z) + e.w;

    const int i = start + 4 * lane;
    switch (min(4, n - i)) {
    case 4:
        *reinterpret_cast<float4 *>(out + i) = r;
        break;
    case 3:
        out[i + 2] = r.z;
        // falls through
    case 2:
        out[i + 1] = r.y;
        // falls through
    case 1:
        out[i] = r.x;
        break;
    default:
        break;
    }
}
