// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each float is multiplied by 1 with .ftz on its way: denormal numbers come out as zero and a NaN loses its bits, and the transpose has to be exact
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column], moved;
        asm volatile("mul.rn.ftz.f32 %0, %1, 0f3F800000;" : "=f"(moved) : "f"(value));
        out[column * height + row] = moved;
    }
}
