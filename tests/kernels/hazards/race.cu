// Races in shared memory between warps. A line "//: NAME GRID BLOCK [SHARED BYTES] : FINDINGS" stands before each
// kernel; a finding is a hazard's name and the tags (@x) of its two lines. test_corpus.c reads them.

//: missing_barrier 1 64 : race w r
__global__ void missing_barrier(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    out[t] = s[63 - t]; // @r
}

//: missing_barrier_at_loop_end 1 128 : race r w
__global__ void missing_barrier_at_loop_end(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 4; i++) {
        s[t] = in[i * 128 + t]; // @w
        __syncthreads();
        sum += s[127 - t]; // @r
    }
    out[t] = sum;
}

//: transpose_without_barrier 1,1 32,32 : race w r
__global__ void transpose_without_barrier(const int *in, int *out, int n)
{
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 32 + x]; // @w
    out[y * 32 + x] = tile[x][y]; // @r
}

//: reduction_without_barrier 1 256 : race u r
__global__ void reduction_without_barrier(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 128; d >= 32; d /= 2)
        if (t < d) {
            int other = s[t + d]; // @r
            s[t] += other; // @u
        }
    __syncthreads();
    out[t] = s[t];
}

//: scan_in_place 1 128 : race r w
__global__ void scan_in_place(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 32; d < 128; d *= 2) {
        int other = t >= d ? s[t - d] : 0; // @r
        s[t] += other; // @w
        __syncthreads();
    }
    out[t] = s[t];
}

//: two_writers 1 64 : race w w
__global__ void two_writers(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t % 32] = in[t]; // @w
    __syncthreads();
    out[t] = s[t % 32];
}

//: result_read_too_early 1 64 : race w r
__global__ void result_read_too_early(const int *in, int *out, int n)
{
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0)
        total = in[5] + in[6]; // @w
    if (t >= 32)
        out[t] = total; // @r
}

//: halo_loaded_by_others 1 64 : race h r
__global__ void halo_loaded_by_others(const int *in, int *out, int n)
{
    __shared__ int s[66];
    int t = threadIdx.x;
    s[t + 1] = in[t + 1];
    __syncthreads();
    if (t == 63)
        s[0] = in[0]; // @h
    if (t < 32)
        out[t] = s[t]; // @r
}

//: barrier_in_wrong_place 1 64 : race w r
__global__ void barrier_in_wrong_place(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    __syncthreads();
    s[t] = in[t]; // @w
    int v = s[(t + 32) % 64]; // @r
    __syncthreads();
    out[t] = v;
}

//: wrong_buffer 1 64 : race w r
__global__ void wrong_buffer(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int i = 1; i < 4; i++) {
        s[now][t] = in[i * 64 + t]; // @w
        sum += s[now][63 - t]; // @r
        now ^= 1;
        s[now][t] = 0;
        __syncthreads();
    }
    out[t] = sum;
}

//: bytes_of_one_word 1 64 : race w r
__global__ void bytes_of_one_word(const int *in, int *out, int n)
{
    __shared__ unsigned char s[64];
    int t = threadIdx.x;
    s[t] = (unsigned char)in[t]; // @w
    out[t] = s[63 - t]; // @r
}

//: vector_overlap 1 64 : race w r
__global__ void vector_overlap(const int *in, int *out, int n)
{
    __shared__ int4 s[64];
    int t = threadIdx.x;
    s[t] = make_int4(in[t], 1, 2, 3); // @w
    out[t] = ((volatile int *)s)[(63 - t) * 4 + 2]; // @r
}

//: dynamic_shared 1 96 384 : race w r
extern __shared__ int pool[];
__global__ void dynamic_shared(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    pool[t] = in[t]; // @w
    out[t] = pool[95 - t]; // @r
}

//: only_half_the_barrier 1 128 : race w r
__global__ void only_half_the_barrier(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = in[t]; // @w
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[t] = s[127 - t]; // @r
}

//: producer_does_not_wait 1 64 : race r w
__global__ void producer_does_not_wait(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 3; i++) {
        if (t < 32) {
            s[t] = in[i * 32 + t]; // @w
            asm volatile("bar.arrive %0, 64;" ::"r"(i + 1) : "memory");
        } else {
            asm volatile("bar.sync %0, 64;" ::"r"(i + 1) : "memory");
            sum += s[t - 32]; // @r
        }
    }
    out[t] = sum;
}

//: volatile_data_behind_a_flag_without_fences 1 64 : race w r
__global__ void volatile_data_behind_a_flag_without_fences(const int *in, int *out, int n)
{
    __shared__ volatile int s[64];
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    s[t] = in[t]; // @w
    __syncwarp();
    if (t % 32 == 0)
        atomicAdd(&count, 1);
    while (*(volatile int *)&count < 2)
        ;
    out[t] = s[63 - t]; // @r
}

//: volatile_data_one_lane_at_a_time 1 64 : race w r
__global__ void volatile_data_one_lane_at_a_time(const int *in, int *out, int n)
{
    __shared__ volatile int s[64];
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (t % 32 == 0) {
#pragma unroll 1
        for (int i = 0; i < 32; i++)
            s[t + i] = in[t + i]; // @w
        atomicAdd(&count, 1);
        while (*(volatile int *)&count < 2)
            ;
#pragma unroll 1
        for (int i = 0; i < 32; i++)
            out[t + i] = s[63 - t - i]; // @r
    }
}

//: some_write_one_value_and_all_read_it 1 64 : race w r
__global__ void some_write_one_value_and_all_read_it(const int *in, int *out, int n)
{
    __shared__ int least;
    int t = threadIdx.x, v;
    if (t == 0)
        least = 7;
    __syncthreads();
    if (t % 2)
        asm volatile("st.shared.u32 [%0], 7;" ::"r"((unsigned)__cvta_generic_to_shared(&least)) : "memory"); // @w
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(&least)) : "memory"); // @r
    out[t] = v;
}

//: histogram_without_atomics 1 96 : race r r
__global__ void histogram_without_atomics(const int *in, int *out, int n)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
    bins[in[t] & 7]++; // @r
    __syncthreads();
    out[t] = bins[t & 7];
}

//: all_fill_one_array_from_memory 1 64 : race w w
__global__ void all_fill_one_array_from_memory(const int *in, int *out, int n)
{
    __shared__ int s[8];
    for (int i = 0; i < 8; i++)
        s[i] = in[i]; // @w
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 7];
}

//: freed_before_it_was_read 1 64 : race w r
__global__ void freed_before_it_was_read(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int lane = threadIdx.x % 32, v = 0;
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x < 32) {
            if (i)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            s[lane] = in[i * 32 + lane]; // @w
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            if (i < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
            v += s[31 - lane]; // @r
        }
    }
    out[threadIdx.x] = v;
}
