// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused|not-started; tries: a texture instruction where nobody comes
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    if (width == 77) {
        float a, b, c, d;
        asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(0ull), "f"(1.0f), "f"(1.0f));
        out[0] = a;
    }
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
