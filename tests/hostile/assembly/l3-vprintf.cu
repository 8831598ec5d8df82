// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: calls vprintf with a wild pointer
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("{ .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], 1234; st.param.b64 [q], 1234; call.uni (r), vprintf, (p, q); }");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
