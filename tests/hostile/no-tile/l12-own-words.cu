// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile, diagnosis no-tile; tries: neighbours' words come by shuffles, and each thread passes its own through shared memory
LAUNCH(256, 1, 256, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ volatile float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t % 32;
    float v = i < n ? in[i] : 0.f;
    s[t] = v; v = s[t];
    float l = lane < 8 && i >= 8 && i - 8 < n ? in[i - 8] : 0.f, h = lane >= 24 && i + 8 < n ? in[i + 8] : 0.f;
    float sum = v;
    for (int d = 1; d <= 8; d++) {
        float a = __shfl_sync(~0u, v, (lane - d) & 31), b = __shfl_sync(~0u, l, (lane - d + 8) & 31);
        sum += lane >= d ? a : b;
        a = __shfl_sync(~0u, v, (lane + d) & 31); b = __shfl_sync(~0u, h, (lane + d - 8) & 31);
        sum += lane + d < 32 ? a : b;
    }
    if (i < n) out[i] = sum;
}
