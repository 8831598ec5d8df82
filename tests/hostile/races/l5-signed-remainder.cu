// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: a rotation written with signed ints: (c - r) % 32 is negative for c < r, so element (r, c) lies at word 31 r + c and (r, 31) shares its place with (r + 1, 0): two threads store two elements there, a race, and one of them is lost
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;

    int column = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8) {
        int r = ty + j, c = tx;
        if (row + j < height && column < width)
            tile[r][(c - r) % 32] = in[(row + j) * width + column];
    }

    __syncthreads();

    int out_column = blockIdx.y * 32 + tx;
    int out_row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8) {
        int r = tx, c = ty + j;
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[r][(c - r) % 32];
    }
}
