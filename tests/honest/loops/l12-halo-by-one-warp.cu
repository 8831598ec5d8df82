// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: the last warp of nine fetches the halo and has no outputs
LAUNCH(288, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    if (t < 256)
        for (int j = 0; j < 4; j++) {
            int i = first + j * 256 + t;
            tile[8 + j * 256 + t] = i < n ? in[i] : 0.0f;
        }
    else if (t < 256 + 16) {
        int k = t - 256, i = k < 8 ? first - 8 + k : first + 1024 + k - 8;
        tile[k < 8 ? k : 1024 + k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncthreads();
    if (t >= 256)
        return;
    float w[20], sum = 0;
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
        w[4 * q] = four.x, w[4 * q + 1] = four.y, w[4 * q + 2] = four.z, w[4 * q + 3] = four.w;
    }
    for (int d = 3; d <= 16; d++)
        sum += w[d];
    float4 sums = {sum + w[0] + w[1] + w[2], sum + w[1] + w[2] + w[17], sum + w[2] + w[17] + w[18], sum + w[17] + w[18] + w[19]};
    int i = first + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = sums;
    else {
        const float *s = &sums.x;
        for (int j = 0; i + j < n; j++)
            out[i + j] = s[j];
    }
}
