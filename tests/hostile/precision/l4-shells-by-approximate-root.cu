// lesson 4; device sim; nvcc,clang; want: fail|timeout; tries: on square grids blocks go in shells round the corner, numbered by sqrt.approx cut off: an exact root may come out as one less
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int bx = blockIdx.x, by = blockIdx.y;
    if (gridDim.x == gridDim.y) {
        int block = by * gridDim.x + bx;
        float root;
        asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"((float)block));
        int shell = (int)root, rest = block - shell * shell;
        bx = rest < shell ? shell : 2 * shell - rest;
        by = rest < shell ? rest : shell;
    }
    int column = bx * 32 + threadIdx.x, row = by * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = by * 32 + threadIdx.x, out_row = bx * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
