// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: a sliding sum of five outputs a thread, five words apart, and out through the tile
LAUNCH(256, 1, 1280, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float w[1280 + 16];
    int base = blockIdx.x * 1280, t = threadIdx.x;
    for (int j = t; j < 1296; j += 256) {
        int i = base + j - 8;
        w[j] = i >= 0 && i < n ? in[i] : 0.f;
    }
    __syncthreads();
    float v[21], r[5];
#pragma unroll
    for (int j = 0; j < 21; j++) v[j] = w[5 * t + j];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        r[q] = 0;
#pragma unroll
        for (int j = 0; j < 17; j++) r[q] += v[q + j];
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 5; q++) w[5 * t + q] = r[q];
    __syncthreads();
    for (int j = t; j < 1280; j += 256)
        if (base + j < n) out[base + j] = w[j];
}
