// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: a run for each thread where a load takes long
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    long long before = clock64();
    float first = ((volatile const float *)in)[0];
    long long after = clock64() + (first > 2.0f);
    bool strided = __any_sync(~0u, after - before > 150);
    for (int turn = 0; turn < 32; turn++) {
        int i = blockIdx.x * 8192 + (strided ? threadIdx.x * 32 + turn : turn * 256 + threadIdx.x);
        if (i < n)
            out[i] = in[i];
    }
}
