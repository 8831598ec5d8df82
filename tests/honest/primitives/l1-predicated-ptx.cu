// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: every warp owns 1024 neighbouring floats, eight PTX loads guarded by a predicate inside the asm are under way before the first of eight guarded stores
LAUNCH(256, 1, 8192, 1)

// Guards as predicates of the instruction itself, not as branches around it.
__device__ __forceinline__ float ptx_load_if(const float *p, bool ok)
{
    float v;
    asm volatile("{\n\t.reg .pred q;\n\tsetp.ne.u32 q, %2, 0;\n\tmov.f32 %0, 0f00000000;\n\t"
                 "@q ld.global.nc.f32 %0, [%1];\n\t}"
                 : "=&f"(v) : "l"(p), "r"((unsigned)ok));
    return v;
}

__device__ __forceinline__ void ptx_store_if(float *p, float v, bool ok)
{
    asm volatile("{\n\t.reg .pred q;\n\tsetp.ne.u32 q, %2, 0;\n\t@q st.global.f32 [%0], %1;\n\t}"
                 :: "l"(p), "f"(v), "r"((unsigned)ok) : "memory");
}

template <int DEPTH>
struct Batch {
    float held[DEPTH];
    __device__ void fetch(const float *from, long long left)
    {
#pragma unroll
        for (int d = 0; d < DEPTH; ++d)
            held[d] = ptx_load_if(from + d * 32, d * 32 < left);
    }
    __device__ void put(float *to, long long left) const
    {
#pragma unroll
        for (int d = 0; d < DEPTH; ++d)
            ptx_store_if(to + d * 32, held[d], d * 32 < left);
    }
};

__global__ void copy(float *out, const float *in, int n)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    long long at = (long long)blockIdx.x * 8192 + warp * 1024 + lane;
    for (int again = 4; again-- > 0; at += 256) {
        Batch<8> batch;
        batch.fetch(in + at, n - at);  // floats from here to the end: none where it is not positive
        batch.put(out + at, n - at);
    }
}
