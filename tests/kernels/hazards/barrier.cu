// Barriers that not every thread meets.

//: barrier_in_both_branches 1 32 : divergent-barrier a b
__global__ void barrier_in_both_branches(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 20) {
        s[t] += 1;
        asm volatile("bar.sync 0;" ::: "memory"); // @a
    } else {
        s[t] += 2;
        asm volatile("bar.sync 0;" ::: "memory"); // @b
    }
    out[t] = s[t];
}

//: barrier_by_data 1 32 : divergent-barrier b c, uneven-barrier c
__global__ void barrier_by_data(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = in[t];
    if (v % 3 == 0) {
        asm volatile("bar.sync 0;" ::: "memory"); // @b
        v *= 2;
    }
    out[t] = v;
    asm volatile("bar.sync 0;" ::: "memory"); // @c
}

//: barrier_in_an_uneven_loop 1 32 : divergent-barrier b c, uneven-barrier c
__global__ void barrier_in_an_uneven_loop(const int *in, int *out, int n)
{
    int t = threadIdx.x, v = 0;
#pragma unroll 1
    for (int i = 0; i <= t % 2; i++) {
        v += in[i];
        asm volatile("bar.sync 0;" ::: "memory"); // @b
    }
    asm volatile("bar.sync 0;" ::: "memory"); // @c
    out[t] = v;
}

//: lanes_leave_before_the_barrier 1 32 : (uneven-barrier) b
__global__ void lanes_leave_before_the_barrier(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 20)
        return;
    asm volatile("bar.sync 0;" ::: "memory"); // @b
    out[t] = in[t];
}

//: threads_left_before_the_barrier 1 96 : (uneven-barrier) b
__global__ void threads_left_before_the_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 64)
        return;
    s[t] = in[t];
    __syncthreads(); // @b
    out[t] = s[63 - t];
}

//: one_warp_skips 1 64 : (uneven-barrier) b
__global__ void one_warp_skips(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t];
    if (t < 32)
        asm volatile("bar.sync 0;" ::: "memory"); // @b
}

//: count_too_large 1 64 : uneven-barrier b
__global__ void count_too_large(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t];
    asm volatile("bar.sync 1, 96;" ::: "memory"); // @b
}

//: a_warp_leaves_a_counted_barrier 1 64 : uneven-barrier b
__global__ void a_warp_leaves_a_counted_barrier(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 32)
        return;
    asm volatile("bar.sync 1, 64;" ::: "memory"); // @b
    out[t] = in[t];
}

//: two_barriers_crossed 1 64 : uneven-barrier a
__global__ void two_barriers_crossed(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    out[t] = in[t];
    if (t < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // @a
    else
        asm volatile("bar.sync 2, 64;" ::: "memory"); // @b
}

//: one_round_more 1 64 : uneven-barrier b
__global__ void one_round_more(const int *in, int *out, int n)
{
    int t = threadIdx.x, rounds = t < 32 ? 3 : 2;
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
        asm volatile("bar.sync 0;" ::: "memory"); // @b
    out[t] = in[t];
}

//: every_other_thread_skips 1 64 : uneven-barrier b
__global__ void every_other_thread_skips(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t % 2 == 0) {
        int v = in[t + 2];
        __syncthreads(); // @b
        out[t] = v;
    }
}

//: edge_of_a_plane_leaves 1 16,8 : (uneven-barrier) b
__global__ void edge_of_a_plane_leaves(const int *in, int *out, int n)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x >= 11 || y >= 5)
        return;
    __syncthreads(); // @b
    out[y * 16 + x] = in[x];
}

//: threads_beyond_a_length_leave 1 16,8 : (uneven-barrier) b
__global__ void threads_beyond_a_length_leave(const int *in, int *out, int n)
{
    int i = threadIdx.y * 16 + threadIdx.x;
    if (i >= 77)
        return;
    __syncthreads(); // @b
    out[i] = in[i];
}

//: one_warp_meets_it_alone 1 64 : uneven-barrier b
__global__ void one_warp_meets_it_alone(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t < 32)
        __syncthreads(); // @b
    out[t] = in[t];
}

//: half_a_block_in_a_function 1 64 : uneven-barrier b
__device__ __noinline__ void meet(int *out, int v)
{
    out[v] = v;
    __syncthreads(); // @b
}
__global__ void half_a_block_in_a_function(const int *in, int *out, int n)
{
    if (threadIdx.x < 32)
        meet(out + 128, threadIdx.x);
    out[threadIdx.x] = in[threadIdx.x];
}

//: others_write_zero_and_leave 1 64 : (uneven-barrier) b
__global__ void others_write_zero_and_leave(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 40) {
        out[t] = 0;
        return;
    }
    __syncthreads(); // @b
    out[t] = in[t];
}
