// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: an OpenCL kernel carried over: work-groups of 1024 quads, vload4 and vstore4, the rest by scalars
LAUNCH(256, 1, 4096, 1)

// What the OpenCL source says, in CUDA's words. Everything is a size_t there.
#define get_local_id(dimension)   ((size_t)threadIdx.x)
#define get_local_size(dimension) ((size_t)blockDim.x)
#define get_group_id(dimension)   ((size_t)blockIdx.x)

__device__ inline float4 vload4(size_t offset, const float *from)
{
    return reinterpret_cast<const float4 *>(from)[offset];
}

__device__ inline void vstore4(float4 value, size_t offset, float *to)
{
    reinterpret_cast<float4 *>(to)[offset] = value;
}

__global__ void copy(float *out, const float *in, int n)
{
    const size_t quads = (size_t)n / 4;  // whole ones; up to three floats are left
    const size_t first = get_group_id(0) * 1024;
    const size_t past = first + 1024 < quads ? first + 1024 : quads;

    for (size_t q = first + get_local_id(0); q < past; q += get_local_size(0))
        vstore4(vload4(q, in), q, out);

    // The group whose range holds the end takes what does not fill a quad.
    const size_t rest = quads * 4 + get_local_id(0);
    if (quads >= first && quads < first + 1024 && rest < (size_t)n)
        out[rest] = in[rest];
}
