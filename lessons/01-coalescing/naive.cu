// What speed ratios compare with: a run of 32 floats for each thread.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192 + threadIdx.x * 32;

    for (int turn = 0; turn < 32; turn++)
        if (start + turn < n)
            out[start + turn] = in[start + turn];
}
