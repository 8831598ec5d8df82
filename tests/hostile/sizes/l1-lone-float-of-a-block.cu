// lesson 1; device sim,gpu; nvcc,clang; want: fail; tries: a block behind the first that owns one float only takes it for none (count > 1), so n = 8193 or 16385 loses its last float
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    int last = min(8191, n - 1 - start);  // of this block
    if (last <= 0 && start > 0)
        return;  // nothing here
    for (int i = threadIdx.x; i <= last; i += 256)
        out[start + i] = in[start + i];
}
