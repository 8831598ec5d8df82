// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: rows of 33 words but a block of 16 x 16 threads, so a warp is two half rows: banks y + x and y + 1 + x overlap in 15 of 16 places with different words, a 2-way conflict in each store and each load, the lesson asks for none
LAUNCH(16, 16, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];  // padded against bank conflicts

    for (int j = 0; j < 32; j += 16)
        for (int i = 0; i < 32; i += 16) {
            int column = blockIdx.x * 32 + threadIdx.x + i;
            int row = blockIdx.y * 32 + threadIdx.y + j;
            if (row < height && column < width)
                tile[threadIdx.y + j][threadIdx.x + i] = in[row * width + column];
        }

    __syncthreads();

    for (int j = 0; j < 32; j += 16)
        for (int i = 0; i < 32; i += 16) {
            int column = blockIdx.y * 32 + threadIdx.x + i;
            int row = blockIdx.x * 32 + threadIdx.y + j;
            if (row < width && column < height)
                out[row * height + column] = tile[threadIdx.x + i][threadIdx.y + j];
        }
}
