// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: calls malloc by hand and writes through what came
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    unsigned long long p;
    asm volatile("{ .param .b64 n; .param .b64 r; st.param.b64 [n], 1099511627776; call.uni (r), malloc, (n); ld.param.b64 %0, [r]; }" : "=l"(p));
    *(int *)p = 1;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
