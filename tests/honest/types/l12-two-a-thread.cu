// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: float2 windows
LAUNCH(128, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    extern __shared__ float unused[];
    __shared__ __align__(8) float tile[272];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;
    for (int k = t; k < 272; k += 128) {
        int i = first + k;
        tile[k] = (unsigned)i < (unsigned)n ? in[i] : 0.0f;
    }
    __syncthreads();
    const float2 *p = reinterpret_cast<const float2 *>(tile) + t;
    float2 w = p[0];
    float head = w.x, sum = w.x + w.y;
#pragma unroll
    for (int q = 1; q < 8; q++) {
        w = p[q];
        sum += w.x + w.y;
    }
    w = p[8];
    float a = sum + w.x, b = sum - head + w.x + w.y;
    int i = blockIdx.x * 256 + 2 * t;
    if (i + 1 < n)
        *reinterpret_cast<float2 *>(out + i) = make_float2(a, b);
    else if (i < n)
        out[i] = a;
}
