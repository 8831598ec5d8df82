// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: ld / st.shared and barrier in PTX on 32-bit addresses, column XOR Gray code of the row, toggled incrementally; 128 threads in one dimension
LAUNCH(128, 1, 32, 32)

#define LDS(v, at) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at) : "memory")
#define STS(at, v) asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory")
#define GRAY(r) ((r) ^ (r) >> 1)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;  // a warp has rows 8 warp … 8 warp + 7

    const unsigned x = blockIdx.x * 32 + lane, y = blockIdx.y * 32 + warp * 8;
    const float *p = in + (size_t)y * width + x;
    unsigned swizzled = lane ^ GRAY(warp * 8);
    float v[8];
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        if (x < (unsigned)width && y + j < (unsigned)height)
            asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(v[j]) : "l"(p + (size_t)j * width));
        else
            v[j] = 0.0f;
#pragma unroll
    for (unsigned j = 0; j < 8; j++) {
        STS(base + (((warp * 8 + j) << 5 | swizzled) << 2), v[j]);
        // From one Gray code to the next, one bit changes: the lowest set one of j + 1.
        swizzled ^= (j + 1) & -(j + 1);
    }
    asm volatile("barrier.sync.aligned 0;" ::: "memory");

    const unsigned ox = blockIdx.y * 32 + lane, oy = blockIdx.x * 32 + warp * 8;
    const unsigned row = base + (lane << 7), turn = GRAY(lane);
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        LDS(v[j], row + (((warp * 8 + j) ^ turn) << 2));
#pragma unroll
    for (unsigned j = 0; j < 8; j++)
        if (ox < (unsigned)height && oy + j < (unsigned)width)
            out[(size_t)(oy + j) * height + ox] = v[j];
}
