// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: volatile tile, a switch over phases, 3 x 32 columns by 8 rows of threads in one loop over slabs
LAUNCH(32, 8, 96, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    volatile __shared__ float t[32][96];
    for (int phase = 0; phase < 3; ++phase)
        switch (phase) {
        case 0:
            for (int y = threadIdx.y; y < 32; y += 8)
                for (int x = threadIdx.x; x < 96; x += 32) {
                    int r = blockIdx.y * 32 + y, c = blockIdx.x * 96 + x;
                    if (r < height && c < width) t[y][x] = in[r * width + c];
                }
            break;
        case 1: __syncthreads(); break;
        default:
            for (int x = threadIdx.y; x < 96; x += 8) {
                int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 96 + x;
                if (r < height && c < width) out[c * height + r] = t[threadIdx.x][x];
            }
        }
}
