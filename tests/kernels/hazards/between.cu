// Blocks that hand over data in rounds, and by locks, rings and numbers: each with one mistake.
#define ADD_RELEASE(p, x) asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory")
#define ADD_RELAXED(p, x) asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory")
#define STORE_RELEASE(p, x) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory")
#define STORE_RELAXED(p, x) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory")

static __device__ unsigned load_acquire(const unsigned *from)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ unsigned count, turn, next_ticket, mutex, full, empty, version, flags[16], done[16];
__device__ int ring[4][64], parts[16][64], total[64], pair[2];

//: rounds 6r 64 : block-race a a
__global__ void rounds(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, all = gridDim.x * 64;
    for (unsigned r = 0; r < 6; r++) {
        const int *from = r ? parts[0] + r % 2 * all : in;
        parts[0][(r + 1) % 2 * all + i] = from[(i + 64) % all] + 1; // @a
        __syncthreads();
        if (threadIdx.x == 0) {
            ADD_RELEASE(&count, 1u);
            while (load_acquire(&count) < gridDim.x)
                ;
        }
        __syncthreads();
    }
    out[i] = i;
}

//: barrier_before_the_count 4 64 : block-race a a
__global__ void barrier_before_the_count(const int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, all = gridDim.x * 64;
    for (unsigned r = 1; r < 4; r++) {
        const int *from = r > 1 ? parts[0] + r % 2 * all : in;
        parts[0][(r + 1) % 2 * all + i] = from[(i + 96) % all] + 1; // @a
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&count, 1u);
            while (*(volatile unsigned *)&count < gridDim.x * r)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

//: lock_by_a_plain_store 4 32 : block-race a a, block-race b c
__global__ void lock_by_a_plain_store(const int *in, int *out, int n)
{
    if (threadIdx.x == 0)
        for (int r = 0; r < 3; r++) {
            while (atomicCAS(&mutex, 0u, 1u)) // @c
                ;
            __threadfence();
            total[0] += in[r]; // @a
            __threadfence();
            mutex = 0; // @b
        }
    out[blockIdx.x * 32 + threadIdx.x] = 0;
}

//: ticket_lock_of_all_threads 4 64 : block-race a a
__global__ void ticket_lock_of_all_threads(const int *in, int *out, int n)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(&next_ticket, 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (*(volatile unsigned *)&turn != ticket)
            ;
        __threadfence();
    }
    __syncthreads();
    total[threadIdx.x] += in[threadIdx.x]; // @a
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&turn, 1u);
    }
    out[blockIdx.x * 64 + threadIdx.x] = 0;
}

//: ring_given_back 2 64 : block-race a b
__global__ void ring_given_back(const int *in, int *out, int n)
{
    for (unsigned r = 0; r < 8; r++) {
        if (blockIdx.x == 0) {
            if (threadIdx.x == 0 && r >= 4)
                while (load_acquire(&empty) < r - 3)
                    ;
            __syncthreads();
            ring[r % 4][threadIdx.x] = in[r * 64 + threadIdx.x]; // @a
            __syncthreads();
            if (threadIdx.x == 0)
                STORE_RELEASE(&full, r + 1);
        } else {
            if (threadIdx.x == 0)
                while (load_acquire(&full) < r + 1)
                    ;
            __syncthreads();
            out[r * 64 + threadIdx.x] = ring[r % 4][63 - threadIdx.x]; // @b
            if (threadIdx.x == 0)
                STORE_RELEASE(&empty, r + 1);
        }
    }
}

//: ring_given_back_relaxed 2 32 : block-race a b
__global__ void ring_given_back_relaxed(const int *in, int *out, int n)
{
    for (unsigned r = 0; r < 8; r++) {
        if (blockIdx.x == 0) {
            if (r >= 4)
                while (load_acquire(&empty) < r - 3)
                    ;
            __syncwarp();
            ring[r % 4][threadIdx.x] = in[r * 32 + threadIdx.x]; // @a
            __syncwarp();
            if (threadIdx.x == 0)
                STORE_RELEASE(&full, r + 1);
        } else {
            while (load_acquire(&full) < r + 1)
                ;
            out[r * 32 + threadIdx.x] = ring[r % 4][31 - threadIdx.x]; // @b
            __syncwarp();
            if (threadIdx.x == 0)
                STORE_RELAXED(&empty, r + 1);
        }
    }
}

//: flag_behind_its_item 6 64 : block-race a b
__global__ void flag_behind_its_item(const int *in, int *out, int n)
{
    int b = blockIdx.x, t = threadIdx.x, before = 0;
    if (b > 0) {
        if (t == 0) {
            while (!*(volatile unsigned *)&flags[b - 1])
                ;
            __threadfence();
        }
        __syncthreads();
        before = parts[b - 1][t]; // @b
    }
    if (t == 0) {
        __threadfence();
        *(volatile unsigned *)&flags[b] = 1;
    }
    __syncthreads();
    parts[b][t] = before + in[t]; // @a
    out[b * 64 + t] = before;
}

//: both_neighbours 5r 64 : block-race a b, block-race b c
__global__ void both_neighbours(const int *in, int *out, int n)
{
    int b = blockIdx.x, t = threadIdx.x, last = gridDim.x - 1;
    int *at = out + b * 64 + t;
    at[0] = at[1024] = in[t]; // @c
    for (unsigned r = 1; r < 6; r++) {
        __syncthreads();
        if (t == 0) {
            STORE_RELEASE(&done[b], r);
            if (b > 0)
                while (load_acquire(&done[b - 1]) < r)
                    ;
        }
        __syncthreads();
        const int *from = out + (r - 1) % 2 * 1024 + b * 64;
        int left = b == 0 && t == 0 ? 0 : from[t - 1], right = b == last && t == 63 ? 0 : from[t + 1]; // @b
        at[r % 2 * 1024] = left + right; // @a
    }
}

//: sequence_number 4 32 : block-race a b, block-race c d
__global__ void sequence_number(const int *in, int *out, int n)
{
    volatile unsigned *number = &version;
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0)
            for (int r = 1; r < 6; r++) {
                *number = 2 * r - 1;
                __threadfence();
                pair[0] = r; // @a
                pair[1] = r; // @c
                __threadfence();
                *number = 2 * r;
            }
    } else if (threadIdx.x == 0) {
        unsigned before, after;
        int one, other;
        do {
            before = *number;
            __threadfence();
            one = pair[0]; // @b
            other = pair[1]; // @d
            __threadfence();
            after = *number;
        } while (before != after || before % 2);
        out[blockIdx.x] = one - other;
    }
}

//: fence_by_who_wrote 2 64 : block-race a b
__global__ void fence_by_who_wrote(const int *in, int *out, int n)
{
    if (blockIdx.x == 0) {
        total[threadIdx.x] = in[threadIdx.x]; // @a
        __syncthreads();
        if (threadIdx.x == 0)
            __threadfence();
        if (threadIdx.x == 32)
            *(volatile unsigned *)&turn = 1;
    } else {
        while (!*(volatile unsigned *)&turn)
            ;
        __threadfence();
        out[threadIdx.x] = total[threadIdx.x]; // @b
    }
}

//: some_lanes_agree 2 64 : block-race a a
__global__ void some_lanes_agree(const int *in, int *out, int n)
{
    total[threadIdx.x] = (blockIdx.x + 1) * (threadIdx.x % 16); // @a
    __threadfence();
    out[blockIdx.x * 64 + threadIdx.x] = atomicAdd(&count, 1u);
}

//: one_counter_was_read 2 32 : block-race a b
__global__ void one_counter_was_read(const int *in, int *out, int n)
{
    if (blockIdx.x == 0)
        atomicAdd((unsigned *)&total[threadIdx.x], 1u); // @a
    __threadfence();
    if (blockIdx.x == 1 && threadIdx.x == 0)
        out[0] = *(volatile int *)&total[0];
    __syncwarp();
    if (blockIdx.x == 1)
        out[threadIdx.x + 32] = total[threadIdx.x]; // @b
}

//: fences_of_the_block 2 32 : block-race d r
__global__ void fences_of_the_block(const int *in, int *out, int n)
{
    volatile int *data = &pair[0];
    volatile unsigned *flag = &turn;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *data = in[0]; // @d
        __threadfence_block();
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        __threadfence_block();
        out[0] = *data; // @r
    }
}

//: no_fence_behind_the_flag 2 32 : block-race d r
__global__ void no_fence_behind_the_flag(const int *in, int *out, int n)
{
    volatile int *data = &pair[0];
    volatile unsigned *flag = &turn;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *data = in[0]; // @d
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        out[0] = *data; // @r
    }
}
