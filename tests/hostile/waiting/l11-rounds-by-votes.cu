// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate barriers; tries: a vote of the block in every round
LAUNCH(256, 1, 1, 1)


__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        if (__syncthreads_or(s < 0))
            return;
    }
    if (t == 0)
        out[row] = part[0];
}
