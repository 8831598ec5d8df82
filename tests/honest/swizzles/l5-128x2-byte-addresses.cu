// lesson 5; device sim; nvcc,clang; want: full; tries: 128 x 2 threads, byte addresses of the tile worked out by exclusive or of a row's key in bits 2 to 6, stores and loads in PTX; all 256 meet at barrier 9 by its reducing form, whose answer nobody wants
LAUNCH(128, 2, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    const unsigned base = (unsigned)__cvta_generic_to_shared(&tile[0][0]);
    const int id = threadIdx.y * 128 + threadIdx.x, lane = id & 31, warp = id >> 5;

    const int x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + warp;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (y + j < height && x < width) {
            const unsigned r = warp + j, to = base + (r << 7) + ((lane << 2) ^ (r << 2));
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(in[(y + j) * width + x]) : "memory");
        }

    const int row = blockIdx.x * 32 + warp, column = blockIdx.y * 32 + lane;
    float *const to = out + (long long)row * height + column;
    const unsigned mine = base + (lane << 7);

    asm volatile("{ .reg .pred all; setp.ne.u32 all, %0, 0; barrier.cta.red.and.pred all, 9, 256, all; }" ::"r"(1) : "memory");

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < width && column < height) {
            float value;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(mine + (((warp + j) ^ lane) << 2)) : "memory");
            to[(long long)j * height] = value;
        }
}
