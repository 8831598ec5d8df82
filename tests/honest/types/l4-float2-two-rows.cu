// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: pairs are loaded where rows are even, and stored to the tile word by word, two rows a warp
LAUNCH(16, 16, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];

    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int c = threadIdx.x * 2, column = x0 + c;
    bool pairs = width % 2 == 0;

    float2 v[2];
#pragma unroll
    for (int j = 0; j < 2; j++) {
        int row = y0 + threadIdx.y + j * 16;
        v[j] = make_float2(0.0f, 0.0f);
        if (row < height && column < width) {
            const float *from = &in[row * width + column];
            if (pairs)
                v[j] = *(const float2 *)from;
            else {
                v[j].x = from[0];
                if (column + 1 < width)
                    v[j].y = from[1];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 2; j++) {
        float *row = tile[threadIdx.y + j * 16];
        row[c] = v[j].x;      // banks r + 0, 2, 4 ... and r + 1 + 0, 2, 4 ...
        row[c + 1] = v[j].y;
    }

    __syncthreads();

    int id = threadIdx.y * 16 + threadIdx.x, lane = id % 32, warp = id / 32;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int q = warp + j * 8;
        if (x0 + q < width && y0 + lane < height)
            out[(x0 + q) * height + y0 + lane] = tile[lane][q];
    }
}
