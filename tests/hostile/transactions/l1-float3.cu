// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: each thread copies a float3; 12 bytes have no vector load, so it is three loads and stores whose lanes stand 12 bytes apart: 12 sectors each where 4 would do, three times what n floats fill
LAUNCH(256, 1, 6144, 1)

__global__ void copy(float *out, const float *in, int n)
{
    const float3 *in3 = reinterpret_cast<const float3 *>(in);
    float3 *out3 = reinterpret_cast<float3 *>(out);
    int start = blockIdx.x * 2048;  // in float3

    for (int turn = 0; turn < 8; turn++) {
        int i = start + turn * 256 + threadIdx.x;
        if (3 * i + 2 < n) {
            float3 v = in3[i];
            out3[i] = v;
        } else {
            for (int j = 3 * i; j < n; j++)
                out[j] = in[j];
        }
    }
}
