// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: five-bit rotation by two of (r xor c), 32 x 4 threads and eight floats each
LAUNCH(32, 4, 32, 32)
static __device__ unsigned place(unsigned r, unsigned c)
{
    unsigned k = r ^ c;
    return r << 5 | ((k << 2 | k >> 3) & 31);
}
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    float keep[8];
    const int x = threadIdx.x, y = threadIdx.y;
    const int c0 = blockIdx.x * 32, r0 = blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int r = r0 + y + 4 * j;
        keep[j] = r < height && c0 + x < width ? in[r * width + c0 + x] : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < 8; j++) tile[place(y + 4 * j, x)] = keep[j];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int c = c0 + y + 4 * j;
        if (c < width && r0 + x < height) out[c * height + r0 + x] = tile[place(x, y + 4 * j)];
    }
}
