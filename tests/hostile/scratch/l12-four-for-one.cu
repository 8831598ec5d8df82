// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate correct; tries: four outputs stored where only one exists
LAUNCH(256, 1, 1024, 1)
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1040];
    int base = blockIdx.x * 1024 - 8;
    for (int j = threadIdx.x; j < 1040; j += 256) tile[j] = base + j >= 0 && base + j < n ? in[base + j] : 0.0f;
    __syncthreads();
    float w[20];
    for (int j = 0; j < 5; j++) *(float4 *)(w + 4 * j) = ((const float4 *)tile)[threadIdx.x + j];
    float s[4];
    s[0] = 0;
    for (int j = 0; j < 17; j++) s[0] += w[j];
    for (int j = 1; j < 4; j++) s[j] = s[j - 1] + w[16 + j] - w[j - 1];
    int o = blockIdx.x * 1024 + threadIdx.x * 4;
    if (o < n) *(float4 *)(out + o) = *(float4 *)s;
    else for (int j = 0; j < 4; j++) if (o + j < n) out[o + j] = s[j];
}
