// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: 512 threads with four outputs each, 16 bytes at a time inside
LAUNCH(512, 1, 2048, 1)
__global__ void __launch_bounds__(512) stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float4 tile[516];
    const int t = threadIdx.x, first = blockIdx.x * 2048 - 8;
    for (int q = t; q < 516; q += 512) {
        const int i = first + 4 * q;
        float4 four = {};
        if (i >= 0 && i + 3 < n)
            four = *reinterpret_cast<const float4 *>(in + i);
        else {
            if (i >= 0 && i < n) four.x = in[i];
            if (i + 1 >= 0 && i + 1 < n) four.y = in[i + 1];
            if (i + 2 >= 0 && i + 2 < n) four.z = in[i + 2];
            if (i + 3 >= 0 && i + 3 < n) four.w = in[i + 3];
        }
        tile[q] = four;
    }
    __syncthreads();
    union { float4 q[5]; float f[20]; } w;
#pragma unroll
    for (int j = 0; j < 5; j++)
        w.q[j] = tile[t + j];
    float s = 0.0f;
#pragma unroll
    for (int j = 0; j < 17; j++)
        s += w.f[j];
    float4 r;
    r.x = s;
    r.y = s += w.f[17] - w.f[0];
    r.z = s += w.f[18] - w.f[1];
    r.w = s += w.f[19] - w.f[2];
    const int i = blockIdx.x * 2048 + 4 * t;
    if (i + 3 < n)
        *reinterpret_cast<float4 *>(out + i) = r;
    else if (i < n) {
        out[i] = r.x;
        if (i + 1 < n) out[i + 1] = r.y;
        if (i + 2 < n) out[i + 2] = r.z;
    }
}
