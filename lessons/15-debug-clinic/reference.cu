// What the four kernels should compute, by one thread each.
__global__ void neighbours(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (i > 0 ? in[i - 1] : 0.0f) + in[i] + (i + 1 < n ? in[i + 1] : 0.0f);
}

__global__ void totals(float *out, const float *in, int n)
{
    for (int first = 0; first < n; first += 256) {
        double sum = 0;
        for (int i = first; i < first + 256 && i < n; i++)
            sum += in[i];
        out[first / 256] = (float)sum;
    }
}

__global__ void reverse(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++)
        out[n - 1 - i] = in[i];
}

__global__ void differences(float *out, const float *in, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] - (i > 0 ? in[i - 1] : 0.0f);
}
