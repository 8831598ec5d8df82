// lesson 4; device sim,gpu; nvcc,clang; want: fail|timeout; tries: float4 stores to out are chosen where width % 4 == 0, but rows of out are height floats long: with width % 4 == 0 and height % 4 != 0 the addresses are misaligned and the kernel faults
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];  // @fill

    __syncthreads();

    if (width % 4 == 0) {  // rows begin at multiples of 16 bytes: four floats with one store
        int id = threadIdx.y * 32 + threadIdx.x, q = id % 8 * 4, c = id / 8;
        int out_row = blockIdx.x * 32 + c, out_column = blockIdx.y * 32 + q;
        if (out_row < width) {
            float *to = &out[out_row * height + out_column];
            if (out_column + 3 < height)
                *(float4 *)to = make_float4(tile[q][c], tile[q + 1][c], tile[q + 2][c], tile[q + 3][c]);  // @take
            else
                for (int i = 0; i < 4; i++)
                    if (out_column + i < height)
                        to[i] = tile[q + i][c];
        }
        return;
    }

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height)
            out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
}
