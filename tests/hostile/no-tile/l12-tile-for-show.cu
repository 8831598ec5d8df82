// lesson 12; device sim,gpu; nvcc,clang; want: fail; tries: the tile is read and multiplied by 0, the inputs come from global memory
// A tile of 256 and a halo of 8 on either side; each thread reads 17 words of it.
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
        sum += (i + d - 8 >= 0 && i + d - 8 < n ? __ldg(in + i + d - 8) : 0.0f) + 0.0f * tile[t + d];  // @take
    out[i] = sum;
}
