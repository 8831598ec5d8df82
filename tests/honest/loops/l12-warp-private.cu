// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: each warp has a tile of its own (128 outputs, 144 words) and only __syncwarp; float4 fetches where whole, union window, early continue
LAUNCH(256, 1, 1024, 1)

struct __align__(16) Strip {
    float word[144];
};

union Window {
    float4 four[5];
    float one[20];
    __device__ Window() {}
};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ Strip strips[8];
    const int lane = threadIdx.x & 31;
    Strip &strip = strips[threadIdx.x >> 5];
    const int begin = blockIdx.x * 1024 + (threadIdx.x >> 5) * 128;  // of this warp's outputs
    if (begin >= n)
        return;  // the whole warp, and nobody waits for it

    // 36 chunks of four, from begin - 8 on.
    for (int chunk = lane; chunk < 36; chunk += 32) {
        const int at = begin - 8 + chunk * 4;
        float4 v;
        if (at >= 0 && at + 4 <= n)
            v = *reinterpret_cast<const float4 *>(in + at);
        else {
            v.x = (unsigned)at < (unsigned)n ? in[at] : 0.0f;
            v.y = (unsigned)(at + 1) < (unsigned)n ? in[at + 1] : 0.0f;
            v.z = (unsigned)(at + 2) < (unsigned)n ? in[at + 2] : 0.0f;
            v.w = (unsigned)(at + 3) < (unsigned)n ? in[at + 3] : 0.0f;
        }
        reinterpret_cast<float4 *>(strip.word)[chunk] = v;
    }
    __syncwarp();

    Window w;
#pragma unroll
    for (int q = 0; q < 5; ++q)
        w.four[q] = reinterpret_cast<const float4 *>(strip.word)[lane + q];

    // What all four share, words 3 to 16, and then what each has beside it.
    float middle = 0.0f;
#pragma unroll
    for (int d = 3; d <= 16; ++d)
        middle += w.one[d];
    float4 r;
    r.x = middle + w.one[0] + w.one[1] + w.one[2];
    r.y = middle + w.one[1] + w.one[2] + w.one[17];
    r.z = middle + w.one[2] + w.one[17] + w.one[18];
    r.w = middle + w.one[17] + w.one[18] + w.one[19];

    const int i = begin + lane * 4;
    if (i + 4 <= n)
        *reinterpret_cast<float4 *>(out + i) = r;
    else {
        const float tail[3] = {r.x, r.y, r.z};
#pragma unroll
        for (int j = 0; j < 3; ++j)
            if (i + j < n)
                out[i + j] = tail[j];
    }
}
