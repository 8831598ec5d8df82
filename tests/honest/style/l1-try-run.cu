// lesson 1; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: a learner tries a pointer for each thread, which is the same as before
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int first = blockIdx.x * 8192 + threadIdx.x * 32;
    int last = min(first + 32, n);
    for (int i = first; i < last; i++)
        out[i] = in[i];
}
