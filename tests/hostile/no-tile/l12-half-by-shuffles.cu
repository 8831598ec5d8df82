// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: the left half of each window comes from the tile, the right half by shuffles of what lanes loaded
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, lane = t % 32, first = blockIdx.x * 256 - 8, i = blockIdx.x * 256 + t;
    for (int k = t; k < 256 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();
    float mine = i < n ? in[i] : 0.0f, next = lane < 8 && i + 32 < n ? in[i + 32] : 0.0f, sum = 0.0f;
    for (int d = 0; d < 8; d++)
        sum += tile[t + d];
    for (int d = 0; d <= 8; d++) {
        float here = __shfl_sync(~0u, mine, lane + d), there = __shfl_sync(~0u, next, lane + d - 32);
        sum += lane + d < 32 ? here : there;
    }
    if (i < n)
        out[i] = sum;
}
