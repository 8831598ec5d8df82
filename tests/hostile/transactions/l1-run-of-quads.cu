// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: vectorised by float4 but each thread still walks through its own run of 32 floats, so the lanes are 128 bytes apart and each request touches 32 sectors for 16 sectors' worth of bytes: right results, twice the sectors, the lesson's idea missed
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int begin = blockIdx.x * 8192 + threadIdx.x * 32;

    if (begin + 32 <= n) {
        const float4 *from = reinterpret_cast<const float4 *>(in + begin);
        float4 *to = reinterpret_cast<float4 *>(out + begin);
        for (int q = 0; q < 8; q++)
            to[q] = from[q];
    } else {
        for (int i = begin; i < n; i++)
            out[i] = in[i];
    }
}
