// Warp operations under masks that differ by lane, and what tests/outside/run must tell apart: a kernel that ends, one
// that needs a GPU, one that leaves its buffer.
__global__ void groups(const int *label, const int *value, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned g = __match_any_sync(0xffffffffu, label[i] & 7);
    out[4 * i] = __reduce_add_sync(g, value[i]);
    out[4 * i + 1] = __shfl_sync(g, value[i], __ffs(g) - 1);
    out[4 * i + 2] = __ballot_sync(g, value[i] & 1);
    out[4 * i + 3] = __match_any_sync(g, value[i] & 1);
}

struct pair {
    float scale;
    int *list;
    int count;
};

__global__ void by_value(struct pair p, int *out)
{
    if (p.count > 0)
        p.list[0] = 1;
    out[threadIdx.x] = (int)p.scale;
}

__global__ void for_a_gpu(int *out)
{
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %1, %1}], {%2};" ::"l"(out), "r"(0),
                 "h"((short)0));
    out[threadIdx.x] = 1;
}

__global__ void of_a_texture(unsigned long long texture, float *out)
{
    float v;
    asm volatile("{ .reg .f32 y, z, w; tex.1d.v4.f32.s32 {%0, y, z, w}, [%1, {%2}]; }"
                 : "=f"(v)
                 : "l"(texture), "r"(threadIdx.x));
    out[threadIdx.x] = v;
}

__global__ void beyond(int *out)
{
    out[1 << 20] = 1;
}
