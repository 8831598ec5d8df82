// wgmma: registers and tiles that it is still at work on, and fences that are missing.
#include <cstdint>

// 64 x 16 and 8 x 16 halves, on the same bytes: blocks of eight rows and eight columns one after another.
__device__ uint64_t tile_at(const void *p, unsigned leading = 128, unsigned stride = 256)
{
    return (uint64_t)(uint32_t)__cvta_generic_to_shared(p) >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32;
}

#define SEE asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define ORDER asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define CLOSE asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT(n) asm volatile("wgmma.wait_group.sync.aligned " #n ";" ::: "memory")
#define MULTIPLY(d, a)                                                                                                 \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, " \
                 "%3}, %4, %4, p, 1, 1, 0, 0; }"                                                                       \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                      \
                 : "l"(a)                                                                                              \
                 : "memory")

//: result_before_wait 1 128 : wgmma-early u p
__global__ void result_before_wait(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @p
    CLOSE;
    out[t] = (int)d[0]; // @u
    WAIT(0);
}

//: group_never_closed 1 128 : wgmma-early u p
__global__ void group_never_closed(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @p
    WAIT(0);
    out[t] = (int)d[0]; // @u
}

//: waits_for_the_older_product 1 128 : wgmma-early u p
__global__ void waits_for_the_older_product(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    float e[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s));
    CLOSE;
    MULTIPLY(e, tile_at(s)); // @p
    CLOSE;
    WAIT(1);
    out[t] = (int)(d[0] + e[0]); // @u
}

//: never_ordered 1 128 : missing-wgmma-fence m
__global__ void never_ordered(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: changed_after_the_fence 1 128 : missing-wgmma-fence m c
__global__ void changed_after_the_fence(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    d[1] = (float)in[t]; // @c
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[1];
}

//: read_and_added_to_again 1 128 : missing-wgmma-fence m c
__global__ void read_and_added_to_again(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s));
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0]; // @c
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[1];
}

//: next_tile_too_early 1 128 : wgmma-overwrite w p
__global__ void next_tile_too_early(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @p
    CLOSE;
    __syncthreads();
    s[t] = make_uint4(t, n, t, n); // @w
    WAIT(0);
    out[t] = (int)d[0];
}

//: wrong_stage_is_free 1 128 : wgmma-overwrite w p
__global__ void wrong_stage_is_free(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = s[t + 128] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s));
    CLOSE;
    MULTIPLY(d, tile_at(s + 128)); // @p
    CLOSE;
    WAIT(1);
    __syncthreads();
    s[t + 128] = make_uint4(t, n, t, n); // @w
    WAIT(0);
    out[t] = (int)d[0];
}

//: producer_does_not_wait 1 256 : wgmma-overwrite w p
__global__ void producer_does_not_wait(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    if (t < 128)
        s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    if (t < 128) {
        ORDER;
        MULTIPLY(d, tile_at(s)); // @p
        CLOSE;
    }
    __syncthreads();
    if (t >= 128)
        s[t - 128] = make_uint4(t, n, t, n); // @w
    if (t < 128)
        WAIT(0);
    out[t] = (int)d[0];
}

//: stores_never_shown 1 128 : missing-proxy-fence m w
__global__ void stores_never_shown(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n); // @w
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: shown_before_they_are_made 1 128 : missing-proxy-fence m w
__global__ void shown_before_they_are_made(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    SEE;
    s[t] = make_uint4(n, n, n, n); // @w
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: one_thread_shows_its_own 1 128 : missing-proxy-fence m w
__global__ void one_thread_shows_its_own(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n); // @w
    if (t == 0)
        SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: stride_of_nothing 1 128 : wgmma-layout m
__global__ void stride_of_nothing(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s, 128, 0)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: leading_of_nothing 1 128 : wgmma-layout m
__global__ void leading_of_nothing(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s, 0, 256)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}

//: stride_of_half_a_block 1 128 : wgmma-layout m
__global__ void stride_of_half_a_block(const int *in, int *out, int n)
{
    __shared__ alignas(1024) uint4 s[256];
    int t = threadIdx.x;
    float d[4] = {};
    s[t] = make_uint4(n, n, n, n);
    SEE;
    __syncthreads();
    ORDER;
    MULTIPLY(d, tile_at(s, 1024, 64)); // @m
    CLOSE;
    WAIT(0);
    out[t] = (int)d[0];
}
