// Addresses that are made of two arrays, of one by way of another, or of none; mbarriers that are made again, and what
// lies in their place before and behind. Who waited where its whole warp arrived speaks for all of it.
#include <cooperative_groups.h>
#include <cuda/atomic>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(p, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(p)), "r"(n) : "memory")
#define INVAL(p) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(AT(p)) : "memory")
#define ARRIVE(p) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(AT(p)) : "memory")
#define EXPECT(p, n) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(AT(p)), "r"(n) : "memory")
#define AWAIT(p, parity)                                                                                               \
    do {                                                                                                               \
        unsigned done;                                                                                                 \
        do                                                                                                             \
            asm volatile("{ .reg .pred q; mbarrier.try_wait.parity.shared.b64 q, [%1], %2; selp.u32 %0, 1, 0, q; }"    \
                         : "=r"(done)                                                                                  \
                         : "r"(AT(p)), "r"(parity)                                                                     \
                         : "memory");                                                                                  \
        while (!done);                                                                                                 \
    } while (0)
#define BRING(to, from, n, p)                                                                                          \
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)),       \
        "l"(from), "r"(n), "r"(AT(p))                                                                                  \
        : "memory")

//: either_array 1 64 :
__global__ void either_array(const int *in, int *out, int n)
{
    __shared__ int even[32], odd[32];
    int t = threadIdx.x;
    int *mine = t & 1 ? odd : even;
    mine[t / 2] = in[t];
    __syncthreads();
    int *other = t & 1 ? even : odd;
    out[t] = other[31 - t / 2];
}

//: one_by_way_of_the_other 1 32 :
__global__ void one_by_way_of_the_other(const int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    long long apart = b - a;
    int *p = a + t;
    p[0] = in[t];
    p[32] = in[t] + 1;
    p += apart;
    p[0] = 7;
    p[32] = 8;
    __syncthreads();
    out[t] = a[63 - t] + b[t] + b[t + 32];
}

//: rows_from_the_end 1 32 :
__global__ void rows_from_the_end(const int *in, int *out, int n)
{
    __shared__ int a[33], b[96];
    int t = threadIdx.x;
    a[32 - t] = in[t];
    int *p = b + 96;
    for (int i = 0; i < 3; i++) {
        p -= 32;
        p[t] = in[t] * i;
    }
    __syncthreads();
    out[t] = a[t + 1] + b[t + 32] + b[95 - t];
}

//: small_counters_last 1 64 :
__global__ void small_counters_last(const int *in, int *out, int n)
{
    __shared__ int first[64];
    __shared__ unsigned short counts[3];
    int t = threadIdx.x;
    first[t] = in[t];
    if (t < 3)
        counts[t] = 0;
    __syncthreads();
    cuda::atomic_ref<unsigned short, cuda::thread_scope_block>(counts[t % 3]).fetch_add(1); // in the last word
    __syncthreads();
    out[t] = counts[t % 3] + first[63 - t];
}

//: made_where_data_were 1 64 :
__global__ void made_where_data_were(const int *in, int *out, int n)
{
    __shared__ __align__(8) int room[66];
    unsigned long long *bar = (unsigned long long *)&room[64];
    int t = threadIdx.x;
    room[t + 2] = in[t];
    __syncthreads();
    int kept = room[65 - t];
    __syncthreads();
    if (t == 0)
        INIT(bar, 64);
    room[t] = kept;
    __syncthreads();
    ARRIVE(bar);
    AWAIT(bar, 0);
    int more = room[63 - t];
    __syncthreads();
    if (t == 0) {
        INVAL(bar);
        INIT(bar, 64);
    }
    __syncthreads();
    ARRIVE(bar);
    AWAIT(bar, 0);
    __syncthreads();
    if (t == 0)
        INVAL(bar);
    __syncthreads();
    if (t < 2)
        room[64 + t] = more;
    __syncthreads();
    out[t] = more + room[64 + t % 2];
}

//: one_speaks_for_its_warp 1 64 :
__global__ void one_speaks_for_its_warp(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64];
    __shared__ __align__(16) int words[64];
    __shared__ unsigned long long met, first, second;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&met, 64);
        INIT(&first, 1);
        INIT(&second, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    words[t] = in[t] + 5;
    ARRIVE(&met);
    AWAIT(&met, 0);
    if (t == 32) { // two copies, each by the one lane
        EXPECT(&first, 128);
        BRING(&s[0], &in[0], 128, &first);
        EXPECT(&second, 128);
        BRING(&s[32], &in[32], 128, &second);
    }
    AWAIT(&first, 0);
    AWAIT(&second, 0);
    out[t] = s[63 - t] + words[63 - t];
}

//: one_waits_for_its_warp 1 64 :
__global__ void one_waits_for_its_warp(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64];
    __shared__ __align__(16) int words[64];
    __shared__ unsigned long long met, first;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&met, 64);
        INIT(&first, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    words[t] = in[t] + 5;
    ARRIVE(&met);
    if (t == 32) { // waits for all, and the others for its copy alone
        AWAIT(&met, 0);
        EXPECT(&first, 256);
        BRING(&s[0], &in[0], 128, &first);
        BRING(&s[32], &in[32], 128, &first);
    }
    AWAIT(&first, 0);
    out[t] = s[63 - t] + words[63 - t];
}

//: tile_of_two_warps 1 64 :
__global__ void tile_of_two_warps(const int *in, int *out, int n)
{
    namespace cg = cooperative_groups;
    __shared__ cg::block_tile_memory<64> room;
    auto block = cg::this_thread_block(room);
    auto wide = cg::tiled_partition<64>(block);
    int t = threadIdx.x, value = in[t];
    value += wide.shfl(value, 5);
    value += wide.any(value < n);
    value += wide.shfl(value, 40);
    out[t] = value;
}

#define NAMED(op, id, count) asm volatile(op " %0, %1;" ::"r"(id), "n"(count) : "memory")

//: four_names_for_four 1 96 :
__global__ void four_names_for_four(const int *in, int *out, int n)
{
    __shared__ unsigned long long full[4];
    __shared__ int s[4][32];
    int t = threadIdx.x, lane = t % 32, sum = 0;
    if (t < 4)
        INIT(&full[t], 32);
    __syncthreads();
    for (int i = 0; i < 12 && t < 32; i++) {
        if (i >= 4)
            NAMED("bar.sync", 1 + i % 4, 96);
        if (i < 8) {
            s[i % 4][lane] = in[lane] + i;
            ARRIVE(&full[i % 4]);
        }
    }
    for (int i = 0; i < 8 && t >= 32; i++) {
        AWAIT(&full[i % 4], i / 4 & 1);
        sum += s[i % 4][31 - lane];
        NAMED("bar.arrive", 1 + i % 4, 96);
    }
    out[t] = sum;
}
