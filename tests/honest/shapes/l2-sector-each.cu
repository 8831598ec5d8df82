// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 32 x 4 threads, each takes one whole 32-byte sector of a row with two float4 and writes it as eight coalesced stores
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    const int r = blockIdx.y * 32 + threadIdx.x;
    const int c0 = blockIdx.x * 32 + threadIdx.y * 8;
    if (r < height && c0 < width) {
        const size_t at = static_cast<size_t>(r) * width + c0;
        const int have = min(8, width - c0);
        float v[8];
        if (have == 8 && width % 4 == 0) {
            const float4 lo = __ldg(reinterpret_cast<const float4 *>(in + at));
            const float4 hi = __ldg(reinterpret_cast<const float4 *>(in + at) + 1);
            v[0] = lo.x; v[1] = lo.y; v[2] = lo.z; v[3] = lo.w;
            v[4] = hi.x; v[5] = hi.y; v[6] = hi.z; v[7] = hi.w;
        } else {
#pragma unroll
            for (int j = 0; j < 8; ++j)
                v[j] = j < have ? __ldg(in + at + j) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; ++j)
            if (j < have)
                out[static_cast<size_t>(c0 + j) * height + r] = v[j];
    }
}
