// Correct code with named barriers, fences, locks and flags.

//: named_barrier_pairs 1 128 :
__global__ void named_barrier_pairs(const int *in, int *out, int n)
{
    __shared__ int s[128];
    int t = threadIdx.x, half = t / 64;
    s[t] = in[t];
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    out[t] = s[half * 64 + 63 - t % 64];
}

//: producer_consumer 1 64 :
__global__ void producer_consumer(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        if (t < 32) {
            if (i > 0)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            s[t] = in[i * 32 + t];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += s[63 - t];
            if (i < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    out[t] = sum;
}

//: producer_two_buffers 1 96 :
__global__ void producer_two_buffers(const int *in, int *out, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 6; i++) {
        int b = i & 1;
        if (t >= 64) {
            if (i >= 2)
                asm volatile("bar.sync %0, 96;" ::"r"(3 + b) : "memory");
            s[b][t - 64] = in[i * 64 + t - 64];
            s[b][t - 32] = in[i * 64 + t - 32];
            asm volatile("bar.arrive %0, 96;" ::"r"(1 + b) : "memory");
        } else {
            asm volatile("bar.sync %0, 96;" ::"r"(1 + b) : "memory");
            sum += s[b][63 - t];
            if (i < 4)
                asm volatile("bar.arrive %0, 96;" ::"r"(3 + b) : "memory");
        }
    }
    if (t < 64)
        out[t] = sum;
}

//: three_stage_ring 1 96 :
__global__ void three_stage_ring(const int *in, int *out, int n)
{
    __shared__ int a[32], b[32];
    int t = threadIdx.x, w = t / 32, lane = t % 32;
    if (w == 0) {
        a[lane] = in[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else if (w == 1) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[lane] = a[31 - lane] + 1;
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        out[lane] = b[31 - lane] + a[lane];
    }
}

//: lock_of_warps 1 128 :
__global__ void lock_of_warps(const int *in, int *out, int n)
{
    __shared__ int lock, sum;
    int t = threadIdx.x;
    if (t == 0)
        lock = sum = 0;
    __syncthreads();
    if (t % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        sum += in[t];
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[t] = sum;
}

//: lock_of_lanes 1 64 :
__global__ void lock_of_lanes(const int *in, int *out, int n)
{
    __shared__ int lock, sum;
    int t = threadIdx.x;
    if (t == 0)
        lock = sum = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += in[t];
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    out[t] = sum;
}

//: volatile_flag_with_fences 1 64 :
__global__ void volatile_flag_with_fences(const int *in, int *out, int n)
{
    __shared__ int data;
    __shared__ volatile int flag;
    int t = threadIdx.x;
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t == 0) {
        data = in[9];
        __threadfence_block();
        flag = 1;
    }
    if (t == 32) {
        while (flag == 0)
            ;
        __threadfence_block();
        out[0] = data;
    }
}

//: release_and_acquire 1 64 :
__global__ void release_and_acquire(const int *in, int *out, int n)
{
    __shared__ int data, flag;
    int t = threadIdx.x;
    unsigned f = (unsigned)__cvta_generic_to_shared(&flag);
    if (t == 0)
        flag = 0;
    __syncthreads();
    if (t == 0) {
        data = in[9];
        asm volatile("st.release.cta.shared.u32 [%0], 1;" ::"r"(f) : "memory");
    }
    if (t == 32) {
        int seen = 0;
        while (!seen)
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(seen) : "r"(f) : "memory");
        out[0] = data;
    }
}

//: ticket_by_atomics_only 1 96 :
__global__ void ticket_by_atomics_only(const int *in, int *out, int n)
{
    __shared__ int next;
    int t = threadIdx.x;
    if (t == 0)
        next = 0;
    __syncthreads();
    int mine = atomicAdd(&next, 1);
    out[mine] = t;
}

//: relaxed_atomics_polled 1 64 :
__global__ void relaxed_atomics_polled(const int *in, int *out, int n)
{
    __shared__ int arrived;
    int t = threadIdx.x;
    if (t == 0)
        arrived = 0;
    __syncthreads();
    atomicAdd(&arrived, 1);
    while (*(volatile int *)&arrived < 64)
        ;
    out[t] = 1;
}

//: last_block_sums 4 64 :
__global__ void last_block_sums(int *in, int *out, int n)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = in[i + 100];
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x + 1] = s[0];
        __threadfence();
        last = atomicAdd(&in[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += ((volatile int *)out)[b + 1];
        out[0] = sum;
    }
}

//: last_block_reads_with_all_threads 4 64 :
__global__ void last_block_reads_with_all_threads(int *in, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    out[64 + blockIdx.x * 64 + t] = in[t + 100];
    __threadfence();
    __syncthreads();
    if (t == 0)
        last = atomicAdd(&in[0], 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += out[64 + b * 64 + t];
        out[t] = sum;
    }
}

//: global_sum_by_atomics 4 64 :
__global__ void global_sum_by_atomics(int *in, int *out, int n)
{
    atomicAdd(&in[0], 1);
    atomicMax(&in[1], (int)threadIdx.x);
}

//: global_scratch_with_barrier 2 64 :
__global__ void global_scratch_with_barrier(const int *in, int *out, int n)
{
    int t = threadIdx.x, base = blockIdx.x * 64;
    out[base + t] = in[base + t];
    __syncthreads();
    int v = out[base + 63 - t];
    __syncthreads();
    out[base + t] = v;
}

//: blocks_write_apart 4 64 :
__global__ void blocks_write_apart(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < 1024; i += gridDim.x * 64)
        out[i] = in[i] + in[i + 1];
}

//: bytes_of_neighbour_blocks 4 33 :
__global__ void bytes_of_neighbour_blocks(const int *in, int *out, int n)
{
    unsigned char *bytes = (unsigned char *)out;
    int i = blockIdx.x * 33 + threadIdx.x;
    bytes[i] = (unsigned char)in[i];
    bytes[i] = (unsigned char)(bytes[i] + 1);
}

//: in_place_own_element 2 64 :
__global__ void in_place_own_element(int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    in[i] = in[i] * 3;
    in[i] += 1;
}

//: blocks_set_one_flag 4 32 :
__global__ void blocks_set_one_flag(const int *in, int *out, int n)
{
    if (in[blockIdx.x] >= 0)
        out[0] = 1;
}

//: flag_of_each_thread 1 64 :
__global__ void flag_of_each_thread(const int *in, int *out, int n)
{
    __shared__ int s[32];
    __shared__ volatile int full[32];
    int t = threadIdx.x, lane = t % 32;
    if (t < 32)
        full[t] = 0;
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        if (t < 32) {
            s[lane] = in[t + i];
            __threadfence_block();
            full[lane] = 1;
            while (full[lane])
                ;
            __threadfence_block();
        } else {
            while (!full[lane])
                ;
            __threadfence_block();
            out[lane + 32 * i] = s[lane];
            __threadfence_block();
            full[lane] = 0;
        }
    }
}

//: blocks_meet_by_a_counter 4 64 :
__global__ void blocks_meet_by_a_counter(int *in, int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    for (int i = 1; i <= 3; i++) {
        s[t] = in[t + i];
        __syncthreads();
        sum += s[63 - t];
        if (t == 0) {
            atomicAdd(&in[1000], 1);
            while (atomicAdd(&in[1000], 0) < 1000 + i * gridDim.x)
                ;
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

//: last_block_resets_the_ticket 5 64 :
__device__ unsigned tickets_of_reset;
__global__ void last_block_resets_the_ticket(const int *in, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        out[blockIdx.x + 1] = in[blockIdx.x];
        __threadfence();
        last = atomicInc(&tickets_of_reset, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        int v = t < gridDim.x ? out[t + 1] : 0;
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(0xffffffffu, v, d);
        if (t == 0) {
            out[0] = v;
            tickets_of_reset = 0;
        }
    }
}

//: last_block_in_one_thread 5 32 :
__device__ unsigned tickets_of_one_thread;
__global__ void last_block_in_one_thread(const int *in, int *out, int n)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x + 1] = in[blockIdx.x];
        __threadfence();
        if (atomicAdd(&tickets_of_one_thread, 1) == gridDim.x - 1) {
            __threadfence();
            int sum = 0;
            for (unsigned b = 0; b < gridDim.x; b++)
                sum += out[b + 1];
            out[0] = sum;
            tickets_of_one_thread = 0;
        }
    }
}

//: last_block_volatile_partials 5 64 :
__device__ unsigned tickets_of_volatile;
__global__ void last_block_volatile_partials(const int *in, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0)
        ((volatile int *)out)[blockIdx.x + 1] = in[blockIdx.x];
    __threadfence();
    __syncthreads();
    if (t == 0) {
        last = atomicInc(&tickets_of_volatile, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
        out[64 + t] = out[t % gridDim.x + 1];
}

//: last_block_resets_a_ticket_beside_bytes 5 64 :
__device__ unsigned tickets_beside_bytes;
__global__ void last_block_resets_a_ticket_beside_bytes(const int *in, int *out, int n)
{
    __shared__ bool last;
    int t = threadIdx.x;
    if (t == 0) {
        ((unsigned char *)out)[64 + blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicInc(&tickets_beside_bytes, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        out[0] = ((unsigned char *)out)[64];
        tickets_beside_bytes = 0;
    }
}

// Who has ended may be named in a mask: votes, shuffles among the others and reductions do without him.
//: those_left_vote 1 64 :
__global__ void those_left_vote(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 50)
        return;
    out[t] = __ballot_sync(0xffffffffu, in[t] > 7) + __any_sync(0xffffffffu, in[t] == 3);
}

//: those_left_shuffle 1 64 :
__global__ void those_left_shuffle(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= 50)
        return;
    out[t] = __shfl_xor_sync(0xffffffffu, in[t], 1);
}
