// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: four rows read, one float4 written
LAUNCH(8, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y, row = blockIdx.y * 32 + threadIdx.x * 4;
    if (column >= width || row >= height)
        return;
    const float *from = in + row * width + column;
    if (height % 4 == 0)
        *(float4 *)&out[column * height + row] = make_float4(from[0], from[width], from[2 * width], from[3 * width]);
    else
        for (int j = 0; j < 4 && row + j < height; j++)
            out[column * height + row + j] = from[j * width];
}
