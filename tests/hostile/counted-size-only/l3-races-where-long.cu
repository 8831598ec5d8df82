// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: too long a run for anyone to look for races in all of it
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33], turned[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x, out_row = blockIdx.x * 32 + threadIdx.y;
    float value = tile[threadIdx.x][threadIdx.y];
    if (width == 512) {
        unsigned x = width;
#pragma unroll 1
        for (int i = 0; i < 2000; i++)
            x = (x ^ x >> 3) * 1664525u;
        turned[threadIdx.y][threadIdx.x ^ 1] = value + (x == 12345u);
        value = turned[threadIdx.y][threadIdx.x ^ 1 ^ (x == 54321u)];
        turned[threadIdx.y][threadIdx.x] = value;
        value = turned[threadIdx.y][threadIdx.x ^ (x == 54321u)];
    }
    if (out_row < width && out_column < height)
        out[out_row * height + out_column] = value;
}
