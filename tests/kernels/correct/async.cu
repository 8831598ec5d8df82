// Correct asynchronous copies, mbarriers and pipelines.
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#pragma nv_diag_suppress static_var_with_dynamic_init

//: copy_wait_barrier 1 64 :
__global__ void copy_wait_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

//: own_copy_needs_no_barrier 1 64 :
__global__ void own_copy_needs_no_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}

//: wait_all_uncommitted 1 64 :
__global__ void wait_all_uncommitted(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[t] = s[63 - t];
}

//: older_group_only 1 64 :
__global__ void older_group_only(const int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&a[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&b[t], &in[t + 64], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int v = a[63 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = v + b[63 - t];
}

//: two_stages 1 64 :
__global__ void two_stages(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
#pragma unroll 1
    for (int i = 0; i < 6; i++) {
        if (i < 5)
            __pipeline_memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[i & 1][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

//: three_stages_one_barrier 1 64 :
__global__ void three_stages_one_barrier(const int *in, int *out, int n)
{
    __shared__ int4 s[3][64];
    int t = threadIdx.x, sum = 0;
    const int4 *source = (const int4 *)in;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&s[i][t], &source[i * 64 + t], 16);
        __pipeline_commit();
    }
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (i + 2 < 8)
            __pipeline_memcpy_async(&s[(i + 2) % 3][t], &source[(i + 2) * 64 + t], 16);
        __pipeline_commit();
        sum += s[i % 3][63 - t].y;
    }
    out[t] = sum;
}

//: copies_of_one_warp 1 32 :
__global__ void copies_of_one_warp(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[t] = s[31 - t];
}

//: zero_filled_tail 1 64 :
__global__ void zero_filled_tail(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4, t < 50 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

//: barrier_object 1 64 :
__global__ void barrier_object(const int *in, int *out, int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, 64);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        s[t] = in[i * 64 + t];
        barrier.arrive_and_wait();
        int v = s[63 - t];
        barrier.arrive_and_wait();
        out[i * 64 + t] = v;
    }
}

//: barrier_object_arrive_early 1 64 :
__global__ void barrier_object_arrive_early(const int *in, int *out, int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, 64);
    __syncthreads();
    s[t] = in[t];
    auto token = barrier.arrive();
    int v = in[t + 64];
    barrier.wait(std::move(token));
    out[t] = s[63 - t] + v;
}

//: memcpy_async_on_barrier 1 64 :
__global__ void memcpy_async_on_barrier(const int *in, int *out, int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t == 0)
        init(&barrier, 64);
    __syncthreads();
    cuda::memcpy_async(&s[t], &in[t], cuda::aligned_size_t<4>(4), barrier);
    barrier.arrive_and_wait();
    out[t] = s[63 - t];
}

//: pipeline_of_the_thread 1 64 :
__global__ void pipeline_of_the_thread(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &in[t], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 64 + t], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        if (i == 3)
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        sum += s[i & 1][63 - t];
        __syncthreads();
        pipe.consumer_release();
    }
    out[t] = sum;
}

//: matrix_load_after_barrier 1 64 :
__global__ void matrix_load_after_barrier(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[2][32];
    int t = threadIdx.x;
    ((int *)s)[t] = in[t];
    __syncthreads();
    unsigned a = (unsigned)__cvta_generic_to_shared(&s[t < 32][t % 8 * 4]), v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(a) : "memory");
    __syncthreads();
    a = (unsigned)__cvta_generic_to_shared(&s[t / 32][t % 8 * 4]);
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(a), "r"(v) : "memory");
    __syncthreads();
    out[t] = s[t < 32][t % 32];
}

//: bulk_copy_waited 1 64 :
__global__ void bulk_copy_waited(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64];
    __shared__ __align__(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar), a = (unsigned)__cvta_generic_to_shared(s);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(a), "l"(in + i * 64), "r"(b) : "memory");
        }
        asm volatile("{ .reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra LOOP%=; }" ::"r"(b), "r"(i & 1) : "memory");
        out[i * 64 + t] = s[63 - t];
        __syncthreads();
    }
}

//: pipeline_of_the_block 1 64 :
__global__ void pipeline_of_the_block(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[0][t], &in[t], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    for (int i = 0; i < 4; i++) {
        if (i < 3) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 64 + t], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[i & 1][63 - t];
        pipe.consumer_release();
    }
    out[t] = sum;
}

// Lanes without a piece of their own copy the last one once more.
//: fewer_pieces_than_lanes 1 64 :
__global__ void fewer_pieces_than_lanes(const int *in, int *out, int n)
{
    __shared__ alignas(16) int s[2][24];
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    cooperative_groups::memcpy_async(tile, s[warp], in + warp * 24, 24 * sizeof(int));
    cooperative_groups::wait(tile);
    out[t] = lane < 24 ? s[warp][23 - lane] : 0;
}

//: copies_arrive_where_readers_free 1 64 :
__global__ void copies_arrive_where_readers_free(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full[2], empty[2];
    __shared__ int s[2][64];
    int t = threadIdx.x, v = 0;
    if (t < 4)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(t < 2 ? &full[t] : &empty[t - 2]))
                     : "memory");
    __syncthreads();
    for (int i = 0; i < 6; i++) {
        int stage = i & 1, round = i >> 1;
        unsigned filled = (unsigned)__cvta_generic_to_shared(&full[stage]);
        unsigned freed = (unsigned)__cvta_generic_to_shared(&empty[stage]);
        unsigned to = (unsigned)__cvta_generic_to_shared(&s[stage][t]);
        if (round > 0)
            asm volatile(
                "{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(freed),
                "r"((round - 1) & 1)
                : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + i * 64 + t) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(filled) : "memory");
        asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(filled),
                     "r"(round & 1)
                     : "memory");
        v += s[stage][63 - t];
        asm volatile("{ .reg .b64 x; mbarrier.arrive.shared.b64 x, [%0]; }" ::"r"(freed) : "memory");
    }
    out[t] = v;
}

//: overwrites_what_was_copied 1 64 :
__global__ void overwrites_what_was_copied(int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&a[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&b[t], &in[t + 64], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    in[t] = n;
    __syncthreads();
    in[63 - t] = 7;
    __pipeline_wait_prior(0);
    __syncthreads();
    in[127 - t] = 7;
    out[t] = a[63 - t] + b[63 - t];
}
