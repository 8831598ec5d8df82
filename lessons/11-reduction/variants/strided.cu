// The working threads are neighbours now, but what they add is 2 s words apart.
LAUNCH(1024, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[1024];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int at = 2 * s * t;
        if (at < blockDim.x)
            part[at] += part[at + s];  // @add
        __syncthreads();
    }
    if (t == 0)
        out[row] = part[0];
}
