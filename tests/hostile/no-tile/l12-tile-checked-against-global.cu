// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile|traffic; tries: what comes from the tile is added only where global memory holds the same
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;  // tile[k] is in[first + k]
    for (int k = t; k < 256 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d <= 16; d++)
        {
            int at = first + t + d;
            float there = at >= 0 && at < n ? in[at] : 0.0f;
            sum += tile[t + d] == there ? there : 0.0f;
        }
    out[i] = sum;
}
