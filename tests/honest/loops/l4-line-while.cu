// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: one line of 1055 words, pointers that walk, while loops
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float line[31 * 33 + 32];
    int y = threadIdx.y;
    {
        float *to = line + y * 33 + threadIdx.x;
        int r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + threadIdx.x;
        const float *from = in + (long)r * width + c;
        int end = min(height, (int)blockIdx.y * 32 + 32);
        while (c < width && r < end) {
            *to = *from;
            to += 8 * 33; from += 8 * (long)width; r += 8;
        }
    }
    __syncthreads();
    {
        const float *from = &line[threadIdx.x * 33] + y;
        int c = blockIdx.x * 32 + y, r = blockIdx.y * 32 + threadIdx.x;
        float *to = out + (long)c * height + r;
        int end = min(width, (int)blockIdx.x * 32 + 32);
        while (r < height && c < end) {
            *to = *from;
            from += 8; to += 8 * (long)height; c += 8;
        }
    }
}
