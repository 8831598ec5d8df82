// lesson 3; device sim,gpu; nvcc,clang; want: fail, at most 60; tries: twenty thousand inline instructions
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    float z = in[0];
#pragma unroll
    for (int i = 0; i < 20000; i++) asm volatile("add.f32 %0, %0, %0;" : "+f"(z));
    if (z == 7) out[0] = z;
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width) out[column * height + row] = in[row * width + column];
}
