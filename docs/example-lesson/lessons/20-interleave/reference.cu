// One thread for each element of out: easy to trust, and any part of it can be asked for.
__global__ void interleave(float *out, const float *x, const float *y, int n)
{
    int j = blockIdx.x * 256 + threadIdx.x;
    if (j < 2 * n)
        out[j] = j % 2 == 0 ? x[j / 2] : y[j / 2];
}
