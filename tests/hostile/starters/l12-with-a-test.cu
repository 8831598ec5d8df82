// lesson 12; device sim,gpu; nvcc,clang; quick; want: fail, at most 0; tries: the starter with a test that never holds
// 12 stencil: each output wants its neighbours' inputs.
//
// Contract: out[i] is the sum of in[i - 8] to in[i + 8], for 0 <= i < n. What lies before in[0]
// or behind in[n - 1] counts as 0. A block computes 256 outputs; LAUNCH may give it more.
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // TODO: right, but each float is loaded 17 times. The 256 threads of a block want 272
    //       different floats in all. Bring each of them once, into shared memory. Which
    //       threads bring the 16 at the two ends? What must stand there at the ends of in?
    float sum = 0.0f;
    for (int d = -8; d <= 8; d++)
        if (i + d >= 0 && i + d < n)
            sum += in[i + d];  // @take
    out[i] = sum;
    if (n == 123456789)
        out[0] = 1.0f;
}
