// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: (c + 5 r) mod 32, kept by columns in PTX
LAUNCH(32, 8, 32, 32)
__device__ __forceinline__ void put(unsigned at, float v) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory"); }
__device__ __forceinline__ float take(unsigned at) { float v; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at) : "memory"); return v; }
#define PUT(r, c, v) put(base + 4 * ((r) * 32 + ((c) + 5 * (r)) % 32), v)
#define TAKE(r, c) take(base + 4 * ((r) * 32 + ((c) + 5 * (r)) % 32))
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[1024];
    unsigned base = (unsigned)__cvta_generic_to_shared(tile);
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (y0 + ty + j < height && x0 + tx < width) PUT(ty + j, tx, in[(y0 + ty + j) * width + x0 + tx]);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (x0 + ty + j < width && y0 + tx < height) out[(x0 + ty + j) * height + y0 + tx] = TAKE(tx, ty + j);
}
