// lesson 5; device sim,gpu; nvcc,clang; want: fail, gate memory; tries: right, swizzled and free of conflicts, but the mbarrier takes 8 bytes beside the tile of 4096, and the lesson allows at most 4096 bytes, not one more
LAUNCH(128, 2, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long gate_word;
    const unsigned base = (unsigned)__cvta_generic_to_shared(&tile[0][0]);
    const unsigned gate = (unsigned)__cvta_generic_to_shared(&gate_word);
    const int id = threadIdx.y * 128 + threadIdx.x, lane = id & 31, warp = id >> 5;

    if (id == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 8;" ::"r"(gate) : "memory");
    __syncthreads();

    const int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + warp;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (y + j < height && x < width) {
            const unsigned r = warp + j, to = base + (r << 7) + ((lane << 2) ^ (r << 2));
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(in[(y + j) * width + x]) : "memory");
        }

    __syncwarp();
    if (lane == 0)
        asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(gate) : "memory");

    const int row = blockIdx.x * 32 + warp, column = blockIdx.y * 32 + lane;
    float *const to = out + (long long)row * height + column;
    const unsigned mine = base + (lane << 7);

    unsigned over;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(gate) : "memory");
    while (over == 0);

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < width && column < height) {
            float value;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(mine + (((warp + j) ^ lane) << 2)) : "memory");
            to[(long long)j * height] = value;
        }
}
