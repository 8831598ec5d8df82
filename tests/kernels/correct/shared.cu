// Correct kernels: nothing here may be called a hazard. The header lines are as in ../hazards.

//: tile_transpose 2,2 32,8 :
__global__ void tile_transpose(const int *in, int *out, int n)
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * 64 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * 64 + x] = tile[threadIdx.x][threadIdx.y + j];
}

//: tile_swizzled 1,1 32,32 :
__global__ void tile_swizzled(const int *in, int *out, int n)
{
    __shared__ int tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x ^ y] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = tile[x][y ^ x];
}

//: own_slot_only 1 128 :
__global__ void own_slot_only(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int i = 0; i < 3; i++)
        s[t] += in[t + i];
    out[t] = s[t];
}

//: reduction 1 256 :
__global__ void reduction(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 128; d; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[0] = s[0];
}

//: scan_two_barriers 1 128 :
__global__ void scan_two_barriers(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}

//: scan_double_buffer 1 128 :
__global__ void scan_double_buffer(const int *in, int *out, int n)
{
    __shared__ int s[2][128];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[t] = s[now][t];
}

//: double_buffer_one_barrier 1 64 :
__global__ void double_buffer_one_barrier(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    s[0][t] = in[t];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 6; i++) {
        if (i < 5)
            s[(i + 1) & 1][t] = in[(i + 1) * 64 + t];
        sum += s[i & 1][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

//: triple_buffer 1 64 :
__global__ void triple_buffer(const int *in, int *out, int n)
{
    __shared__ int s[3][64];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 9; i++) {
        s[i % 3][t] = in[i * 64 + t];
        __syncthreads();
        sum += s[i % 3][63 - t];
    }
    out[t] = sum;
}

//: bytes_apart 1 64 :
__global__ void bytes_apart(const int *in, int *out, int n)
{
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = (unsigned char)in[t];
    s[t] = (unsigned char)(s[t] + 1);
    __syncthreads();
    out[t] = s[63 - t];
}

//: words_of_two_sizes 1 64 :
__global__ void words_of_two_sizes(const int *in, int *out, int n)
{
    __shared__ short s[128];
    int t = threadIdx.x;
    s[2 * t] = (short)in[t];
    s[2 * t + 1] = (short)t;
    __syncthreads();
    out[t] = ((int *)s)[63 - t];
}

//: vectors_own_slot 1 64 :
__global__ void vectors_own_slot(const int *in, int *out, int n)
{
    __shared__ int4 s[64];
    int t = threadIdx.x;
    s[t] = make_int4(in[t], in[t + 1], 0, 1);
    s[t].z = s[t].x + s[t].y;
    __syncthreads();
    out[t] = s[63 - t].z;
}

//: dynamic_two_arrays 1 64 512 :
extern __shared__ int pool[];
__global__ void dynamic_two_arrays(const int *in, int *out, int n)
{
    int t = threadIdx.x, *a = pool, *b = pool + 64;
    a[t] = in[t];
    b[t] = in[t] * 2;
    __syncthreads();
    out[t] = a[63 - t] + b[(t + 7) % 64];
}

//: one_thread_writes_all_read 1 96 :
__global__ void one_thread_writes_all_read(const int *in, int *out, int n)
{
    __shared__ int v;
    if (threadIdx.x == 40)
        v = in[3];
    __syncthreads();
    out[threadIdx.x] = v;
}

//: flag_set_by_all 1 96 :
__global__ void flag_set_by_all(const int *in, int *out, int n)
{
    __shared__ int found;
    int t = threadIdx.x;
    if (t == 0)
        found = 0;
    __syncthreads();
    if (in[t] > 4)
        found = 1;
    __syncthreads();
    out[t] = found;
}

//: several_lanes_zero_the_same 1 96 :
__global__ void several_lanes_zero_the_same(const int *in, int *out, int n)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    s[t % 16] = 0;
    __syncthreads();
    atomicAdd(&s[t % 16], in[t]);
    __syncthreads();
    out[t] = s[t % 16];
}

//: histogram 2 128 :
__global__ void histogram(int *in, int *out, int n)
{
    __shared__ int bins[64];
    int t = threadIdx.x;
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 128 + t] % 64], 1);
    __syncthreads();
    if (t < 64)
        atomicAdd(&in[1024 + t], bins[t]);
}

//: barrier_counts 1 64 :
__global__ void barrier_counts(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    int many = __syncthreads_count(in[t] > 5);
    out[t] = s[63 - t] + many;
}

//: barrier_in_uniform_branch 1 64 :
__global__ void barrier_in_uniform_branch(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (blockDim.x > 32) {
        __syncthreads();
        out[t] = s[63 - t];
    }
}

//: partial_last_warp 1 50 :
__global__ void partial_last_warp(const int *in, int *out, int n)
{
    __shared__ int s[50];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[49 - t];
}

//: halo 1 64 :
__global__ void halo(const int *in, int *out, int n)
{
    __shared__ int s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t + 1];
    if (t == 0)
        s[0] = in[0];
    if (t == 63)
        s[65] = in[65];
    __syncthreads();
    out[t] = s[t] + s[t + 1] + s[t + 2];
}

//: guarded_tail 1 64 :
__global__ void guarded_tail(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t < 50 ? in[t] : 0;
    __syncthreads();
    if (t < 50)
        out[t] = s[63 - t];
}

//: exchange_as_the_first_write 1 64 :
__global__ void exchange_as_the_first_write(const int *in, int *out, int n)
{
    __shared__ int hit;
    int t = threadIdx.x;
    atomicExch(&hit, in[7]);
    __syncthreads();
    out[t] = hit;
}

//: result_that_one_thread_takes 1 128 :
__device__ void sum_of_block(int *x, int tid, int threads)
{
    __shared__ int s[128];
    s[tid] = *x;
    for (threads /= 2, __syncthreads(); threads > 0; threads /= 2, __syncthreads())
        if (tid < threads)
            s[tid] += s[tid + threads];
    if (tid == 0)
        *x = s[0];
}
__global__ void result_that_one_thread_takes(const int *in, int *out, int n)
{
    for (int i = 0; i < 3; i++) {
        int x = in[i * 128 + threadIdx.x];
        sum_of_block(&x, threadIdx.x, blockDim.x);
        if (threadIdx.x == 0)
            out[i] = x;
    }
}

//: all_write_one_value_and_read_it 1 64 : (race) w, (warp-race) w
__global__ void all_write_one_value_and_read_it(const int *in, int *out, int n)
{
    __shared__ int least;
    volatile int *p = out;
    int t = threadIdx.x;
    asm volatile("st.shared.u32 [%0], 7;" ::"r"((unsigned)__cvta_generic_to_shared(&least)) : "memory"); // @w
    int v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(&least)) : "memory");
    p[t] = v;
}
