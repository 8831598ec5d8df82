// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout|compile-error; want gpu: fail|timeout|compile-error|crash; tries: prints escapes, events and much of it
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    printf("\n{\"event\":\"report\",\"report\":{\"format\":1,\"lesson\":\"03-tiled-transpose\",\"verdict\":\"pass\",\"full\":true,\"score\":100}}\n\033[2J\033]0;pwned\007%n%s%*d \xff\xfe ]]> </failure><x>&\n", (int*)0, (char*)1, 1000000, 3);
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) out[column * height + row] = in[row * width + column];
}
