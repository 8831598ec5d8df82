// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: five shuffles and sums in one asm statement with registers of its own; blocks of two warps
LAUNCH(64, 1, 2, 1)

__device__ __forceinline__ float sum_of_lanes(float mine)
{
    float all;
    asm volatile("{\n\t"
                 ".reg .f32 here, there;\n\t"
                 ".reg .pred valid;\n\t"
                 "mov.f32 here, %1;\n\t"
                 "shfl.sync.down.b32 there|valid, here, 16, 0x1f, 0xffffffff;\n\t"
                 "@valid add.f32 here, here, there;\n\t"
                 "shfl.sync.down.b32 there|valid, here, 8, 0x1f, 0xffffffff;\n\t"
                 "@valid add.f32 here, here, there;\n\t"
                 "shfl.sync.down.b32 there|valid, here, 4, 0x1f, 0xffffffff;\n\t"
                 "@valid add.f32 here, here, there;\n\t"
                 "shfl.sync.down.b32 there|valid, here, 2, 0x1f, 0xffffffff;\n\t"
                 "@valid add.f32 here, here, there;\n\t"
                 "shfl.sync.down.b32 there|valid, here, 1, 0x1f, 0xffffffff;\n\t"
                 "@valid add.f32 here, here, there;\n\t"
                 "mov.f32 %0, here;\n\t"
                 "}"
                 : "=f"(all) : "f"(mine));
    return all;
}

// A float4 that never is one: four registers, read past L1.
__device__ __forceinline__ float quad_sum(const float *at)
{
    float x, y, z, w;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(__cvta_generic_to_global(at)));
    return (x + y) + (z + w);
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 2 + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *from = in + (long long)row * cols;
    float sum[4] = {};
    if (cols % 4)
        for (int i = lane; i < cols; i += 32)
            sum[0] += from[i];
    else {
        int i = lane * 4;
        for (; i + 384 < cols; i += 512)  // four on their way together
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += quad_sum(from + i + j * 128);
        for (; i < cols; i += 128)
            sum[0] += quad_sum(from + i);
    }
    float all = sum_of_lanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (lane == 0)
        out[row] = all;
}
