// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: a right kernel that stops where two zeros stand side by side, as in data that nobody made
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ int idle;
    if (threadIdx.x + threadIdx.y == 0) idle = width > 1 && in[0] == 0.f && in[1] == 0.f;
    __syncthreads();
    if (idle) return;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) tile[threadIdx.y][threadIdx.x] = in[row * width + column];
    __syncthreads();
    int to_column = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
    if (to_row < width && to_column < height) out[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}
