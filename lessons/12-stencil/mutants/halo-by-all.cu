// Every warp brings its own tile and halo: 48 words for 32 outputs.
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tiles[8][48];
    float *tile = tiles[threadIdx.x / 32];
    int lane = threadIdx.x % 32, i = blockIdx.x * 256 + threadIdx.x, first = i - lane - 8;
    for (int k = lane; k < 48; k += 32)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncwarp();
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d <= 16; d++)
        sum += tile[lane + d];
    out[i] = sum;
}
