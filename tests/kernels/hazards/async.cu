// Asynchronous copies: not waited for, waited for by the wrong thread, or too early.
#include <cuda_pipeline.h>

//: copy_not_waited 1 64 : missing-wait c r
__global__ void copy_not_waited(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    __syncthreads();
    out[t] = s[63 - t]; // @r
}

//: own_copy_not_waited 1 64 : missing-wait c r
__global__ void own_copy_not_waited(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    out[t] = s[t]; // @r
}

//: waits_for_the_older_group 1 64 : missing-wait c r
__global__ void waits_for_the_older_group(const int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&a[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&b[t], &in[t + 64], 4); // @c
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[t] = a[63 - t] + b[63 - t]; // @r
}

//: copy_never_committed 1 64 : missing-wait c r
__global__ void copy_never_committed(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[t] = s[63 - t]; // @r
}

//: overwritten_before_wait 1 64 : missing-wait c w
__global__ void overwritten_before_wait(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    s[t] = 5; // @w
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[t];
}

//: waited_without_barrier 1 64 : missing-barrier-after-wait c r
__global__ void waited_without_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[63 - t]; // @r
}

//: barrier_before_wait 1 64 : missing-barrier-after-wait c r
__global__ void barrier_before_wait(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[t] = s[63 - t]; // @r
}

//: neighbour_lane_after_wait 1 32 : missing-barrier-after-wait c r
__global__ void neighbour_lane_after_wait(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[(t + 1) % 32]; // @r
}

//: loop_waits_without_barrier 1 64 : missing-barrier-after-wait c r
__global__ void loop_waits_without_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        __pipeline_memcpy_async(&s[t], &in[i * 64 + t], 4); // @c
        __pipeline_commit();
        __pipeline_wait_prior(0);
        sum += s[63 - t]; // @r
        __syncthreads();
    }
    out[t] = sum;
}

//: copies_over_what_others_read 1 64 : async-overwrite r c
__global__ void copies_over_what_others_read(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int v = s[63 - t]; // @r
    __pipeline_memcpy_async(&s[t], &in[t + 64], 4); // @c
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = v + s[63 - t];
}

//: pipeline_one_barrier_short 1 64 : async-overwrite r c
__global__ void pipeline_one_barrier_short(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        __pipeline_memcpy_async(&s[(i + 1) & 1][t], &in[(i + 1) * 64 + t], 4); // @c
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[i & 1][63 - t]; // @r
    }
    out[t] = sum;
}

//: refill_without_barrier 1 64 : async-overwrite r c
__global__ void refill_without_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        __pipeline_memcpy_async(&s[t], &in[i * 64 + t], 4); // @c
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[63 - t]; // @r
    }
    out[t] = sum;
}

//: matrix_load_without_barrier 1 64 : race w r
__global__ void matrix_load_without_barrier(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[2][32];
    int t = threadIdx.x;
    ((int *)s)[t] = in[t]; // @w
    unsigned a = (unsigned)__cvta_generic_to_shared(&s[t < 32][t % 8 * 4]), v;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(a) : "memory"); // @r
    out[t] = (int)v;
}

//: matrix_store_without_barrier 1 64 : race w r
__global__ void matrix_store_without_barrier(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[2][32];
    int t = threadIdx.x, v = in[t];
    unsigned a = (unsigned)__cvta_generic_to_shared(&s[t / 32][t % 8 * 4]);
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(a), "r"(v) : "memory"); // @w
    out[t] = s[t < 32][t % 32]; // @r
}

//: bulk_copy_not_waited 1 64 : missing-wait c r
__global__ void bulk_copy_not_waited(const int *in, int *out, int n)
{
    __shared__ __align__(16) int s[64];
    __shared__ __align__(8) unsigned long long bar;
    int t = threadIdx.x;
    unsigned b = (unsigned)__cvta_generic_to_shared(&bar), a = (unsigned)__cvta_generic_to_shared(s);
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(a), "l"(in), "r"(b) : "memory"); // @c
    }
    __syncthreads();
    out[t] = s[63 - t]; // @r
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" ::"r"(b) : "memory");
}

//: arrival_of_the_next_copy 1 64 : async-overwrite r c
__global__ void arrival_of_the_next_copy(const int *in, int *out, int n)
{
    __shared__ alignas(8) unsigned long long full;
    __shared__ int s[64];
    int t = threadIdx.x, v = 0;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&full), to = (unsigned)__cvta_generic_to_shared(&s[t]);
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(bar) : "memory");
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + i * 64 + t) : "memory"); // @c
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
        asm volatile("{ .reg .pred p; L%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra L%=; }" ::"r"(bar),
                     "r"(i & 1)
                     : "memory");
        v += s[63 - t]; // @r
    }
    out[t] = v;
}

//: overwrites_what_is_copied 1 64 : async-source-overwrite c w
__global__ void overwrites_what_is_copied(int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    __syncthreads();
    in[63 - t] = 7; // @w
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[63 - t];
}

//: overwrites_what_it_copies_itself 1 64 : async-source-overwrite c w
__global__ void overwrites_what_it_copies_itself(int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // @c
    __pipeline_commit();
    in[t] = n; // @w
    __pipeline_wait_prior(0);
    out[t] = s[t];
}

//: overwrites_the_source_of_the_younger_group 1 64 : async-source-overwrite c w
__global__ void overwrites_the_source_of_the_younger_group(int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&a[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&b[t], &in[t + 64], 4); // @c
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    in[127 - t] = 7; // @w
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = a[63 - t] + b[63 - t];
}
