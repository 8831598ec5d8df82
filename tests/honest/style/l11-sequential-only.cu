// lesson 11; device sim,gpu; nvcc,clang; want: fail, at least 50, diagnosis one-each; tries: sequential addressing, and nothing else yet: somebody has started
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
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[row] = part[0];
}
