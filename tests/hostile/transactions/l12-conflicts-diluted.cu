// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate turns|conflicts; tries: a tile in which each word lies two words from the next; junk reads of one word make conflicts rare
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[2 * (256 + 16)];
    int t = threadIdx.x, first = blockIdx.x * 256 - 8;  // tile[k] is in[first + k]
    for (int k = t; k < 256 + 16; k += 256)
        tile[2 * k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int d = 0; d < 5; d++)
        sum += tile[2 * (t + d)];
    for (int d = 5; d <= 16; d++)
        sum += first + t + d < n && first + t + d >= 0 ? tile[2 * (t + d)] : 0.0f;
    for (int junk = 0; junk < 3; junk++) {
        float x = ((volatile float *)tile)[2 * junk];
        asm volatile("" :: "f"(x));
    }
    out[i] = sum;
}
