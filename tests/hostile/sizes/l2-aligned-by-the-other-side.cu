// lesson 2; device sim,gpu; nvcc,clang; want: fail; tries: rows of in are read by float4 whenever height is a multiple of 4, but a row of in is width floats long: with height % 4 == 0 and width % 4 != 0 (6 x 4, say) the 16-byte loads are misaligned and the kernel faults, no size of the lesson's own list shows it
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int row = blockIdx.y * 32 + threadIdx.x;
    int column = blockIdx.x * 32 + threadIdx.y * 4;
    if (row >= height)
        return;

    bool aligned = height % 4 == 0;
    if (aligned && column + 3 < width) {
        float4 v = *reinterpret_cast<const float4 *>(&in[row * width + column]);
        out[(column + 0) * height + row] = v.x;
        out[(column + 1) * height + row] = v.y;
        out[(column + 2) * height + row] = v.z;
        out[(column + 3) * height + row] = v.w;
    } else {
        for (int j = 0; j < 4; j++)
            if (column + j < width)
                out[(column + j) * height + row] = in[row * width + column + j];
    }
}
