// 20 interleave: out = x[0], y[0], x[1], y[1], …
//
// Contract: out has 2 n floats; out[2 i] = x[i] and out[2 i + 1] = y[i]; nothing else is touched.
LAUNCH(256, 1, 512, 1)                   // 256 threads; a block covers 512 floats of out

__global__ void interleave(float *out, const float *x, const float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    // TODO: each of these stores leaves gaps between its lanes. Let a warp write 32 neighbours instead.
    if (i < n) {
        out[2 * i] = x[i];               // @first
        out[2 * i + 1] = y[i];
    }
}
