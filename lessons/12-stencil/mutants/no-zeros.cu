// What exists is brought, and where nothing exists nothing is put.
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;
    for (int k = t; k < 256 + 16; k += 256)
        if (first + k >= 0 && first + k < n)
            tile[k] = in[first + k];
    __syncthreads();
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d <= 16; d++)
        sum += tile[t + d];
    out[i] = sum;
}
