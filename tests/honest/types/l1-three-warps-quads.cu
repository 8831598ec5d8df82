// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 96 threads take eight float4 each by __ldg, and a switch that falls through copies the last one to three floats
LAUNCH(96, 1, 3072, 1)

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    const size_t quads = static_cast<size_t>(n) / 4;
    const float4 *from = reinterpret_cast<const float4 *>(in);
    float4 *to = reinterpret_cast<float4 *>(out);

    size_t v = static_cast<size_t>(blockIdx.x) * 768 + threadIdx.x;
#pragma unroll
    for (int turn = 0; turn < 8; ++turn, v += 96) {
        if (v < quads)
            to[v] = __ldg(from + v);
        else if (v == quads) {  // one thread of the whole grid, if any floats are left
            const size_t i = 4 * quads;
            switch (n & 3) {
            case 3:
                out[i + 2] = __ldg(in + i + 2);
                // falls through
            case 2:
                out[i + 1] = __ldg(in + i + 1);
                // falls through
            case 1:
                out[i] = __ldg(in + i);
                break;
            default:
                break;
            }
        }
    }
}
