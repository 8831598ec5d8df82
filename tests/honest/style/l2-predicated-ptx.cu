// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: roles from a linear thread number, predicated PTX load and store instead of a branch, 64-bit offsets
LAUNCH(32, 32, 32, 32)

// A load that happens only if `wanted`; 0 otherwise.
__device__ __forceinline__ float load_if(const float *from, bool wanted)
{
    float value;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %2, 0;\n\tmov.f32 %0, 0f00000000;\n\t"
                 "@p ld.global.nc.f32 %0, [%1];\n\t}"
                 : "=f"(value) : "l"(__cvta_generic_to_global(from)), "r"((int)wanted));
    return value;
}

__device__ __forceinline__ void store_if(float *to, float value, bool wanted)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %2, 0;\n\t@p st.global.f32 [%0], %1;\n\t}"
                 :: "l"(__cvta_generic_to_global(to)), "f"(value), "r"((int)wanted) : "memory");
}

__global__ void __launch_bounds__(1024) transpose(float *out, const float *in, int width, int height)
{
    // The low five bits (the lane) walk down in, the high five bits (the warp) along it.
    const unsigned linear = threadIdx.y * 32u + threadIdx.x;
    const unsigned lane = linear & 31u, warp = linear >> 5;

    const unsigned column = blockIdx.x * 32u + warp;
    const unsigned row = blockIdx.y * 32u + lane;
    const bool exists = row < (unsigned)height && column < (unsigned)width;

    const size_t from = exists ? (size_t)row * (unsigned)width + column : 0;
    const size_t to = exists ? (size_t)column * (unsigned)height + row : 0;
    store_if(out + to, load_if(in + from, exists), exists);
}
