// One thread of each block does all the work.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;

    if (threadIdx.x == 0)
        for (int i = start; i < start + 8192 && i < n; i++)
            out[i] = in[i];
}
