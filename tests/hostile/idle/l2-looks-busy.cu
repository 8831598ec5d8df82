// lesson 2; device sim,gpu; nvcc,clang; want: fail, gate writes, diagnosis idle-warps; tries: two warps of 32 move the rows, the others read shared memory again and again
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float4 show[32][32];
    if (threadIdx.y > 1) {
        float4 *place = &show[threadIdx.y][threadIdx.x];
        *place = make_float4(0, 0, 0, 0);
        for (int turn = 0; turn < 8; turn++) {
            float a, b, c, d;
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                         : "r"((unsigned)__cvta_generic_to_shared(place)) : "memory");
        }
        return;
    }
    int row = blockIdx.y * 32 + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 16; j++) {
        int column = blockIdx.x * 32 + 2 * j + threadIdx.y;
        if (row < height && column < width)
            out[column * height + row] = in[row * width + column];
    }
}
