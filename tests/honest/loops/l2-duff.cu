// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: a switch that falls through, four rows a thread
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int row = blockIdx.y * 32 + threadIdx.x, column = blockIdx.x * 32 + threadIdx.y;
    int left = row < height ? min(4, (width - column + 7) / 8) : 0;
    float kept[4];
    switch (left) {
    case 4: kept[3] = in[row * width + column + 24]; [[fallthrough]];
    case 3: kept[2] = in[row * width + column + 16]; [[fallthrough]];
    case 2: kept[1] = in[row * width + column + 8]; [[fallthrough]];
    case 1: kept[0] = in[row * width + column];
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (j < left)
            out[(column + j * 8) * height + row] = kept[j];
}
