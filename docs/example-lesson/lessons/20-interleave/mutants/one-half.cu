// One element for each thread, and half as many threads as elements.
LAUNCH(256, 1, 512, 1)

__global__ void interleave(float *out, const float *x, const float *y, int n)
{
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j < n)
        out[j] = j % 2 == 0 ? x[j / 2] : y[j / 2];
}
