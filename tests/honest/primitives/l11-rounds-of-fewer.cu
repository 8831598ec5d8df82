// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a named barrier for the threads that still work, and the others leave
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
        if (t < (s < 32 ? 32 : s))
            asm volatile("bar.sync 1, %0;" ::"r"(s < 32 ? 32 : s) : "memory");
        else
            return;
    }
    if (t == 0)
        out[row] = part[0];
}
