// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile|traffic|speed; tries: a tile up to 300000 floats, the starter beyond
// A tile of 256 and a halo of 8 on either side; each thread reads 17 words of it.
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;  // tile[k] is in[first + k]
    for (int k = t; k < 256 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    if (n > 300000) {
        int j = blockIdx.x * 256 + t;
        float all = 0.0f;
        for (int d = -8; d <= 8; d++)
            if (j + d >= 0 && j + d < n)
                all += in[j + d];
        if (j < n)
            out[j] = all;
        return;
    }
    __syncthreads();
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d <= 16; d++)
        sum += tile[t + d];  // @take
    out[i] = sum;
}
