// Of a tile for 1024 outputs the last eight words are left out.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024;
    for (int k = t; k < 1024 + 8; k += 256)
        tile[k] = first + k >= 8 && first + k - 8 < n ? in[first + k - 8] : 0.0f;
    __syncthreads();
    for (int i = t; i < 1024 && first + i < n; i += 256) {
        float sum = 0.0f;
        for (int d = 0; d <= 16; d++)
            sum += tile[i + d];
        out[first + i] = sum;
    }
}
