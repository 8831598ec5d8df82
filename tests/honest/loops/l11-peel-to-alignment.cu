// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: three warps a block; each row is peeled up to a multiple of 16 bytes, so float4 serves rows of any length; butterfly shuffles
LAUNCH(96, 1, 3, 1)

__device__ __forceinline__ float butterfly(float x)
{
#pragma unroll
    for (int bit = 1; bit < 32; bit <<= 1)
        x += __shfl_xor_sync(0xffffffffu, x, bit);
    return x;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * 3 + (threadIdx.x >> 5);
    if (row < rows) {  // the same for all lanes of a warp
        const size_t begin = (size_t)row * cols;
        const int head = min(cols, (int)((4 - begin % 4) % 4));
        const int quads = (cols - head) / 4, tail = (cols - head) % 4;
        const float *body = in + begin + head;

        float s0 = 0.0f, s1 = 0.0f;
        if (lane < head)
            s0 = in[begin + lane];
        if (lane < tail)
            s1 = body[4 * quads + lane];
        const float4 *p = reinterpret_cast<const float4 *>(body);
#pragma unroll 4
        for (int i = lane; i < quads; i += 32) {
            const float4 q = p[i];
            s0 += q.x + q.y;
            s1 += q.z + q.w;
        }
        const float sum = butterfly(s0 + s1);
        if (lane == 31)
            out[row] = sum;
    }
}
