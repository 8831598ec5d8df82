// The halo has room and no contents.
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;  // tile[k] is in[first + k]
    int k = t + 8;
    tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d <= 16; d++)
        sum += tile[t + d];
    out[i] = sum;
}
