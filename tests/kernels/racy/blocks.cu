// Kernels whose result is luck on a GPU: many blocks that meet in global memory. Here everything that is said of them
// must be the same however many host threads run them.

//: last_writer_wins 64 32 : block-race w w
__global__ void last_writer_wins(const int *in, int *out, int n)
{
    int i = blockIdx.x / 2 * blockDim.x + threadIdx.x;
    out[i] = blockIdx.x; // @w
}

//: everyone_writes_one 64 64 : (block-race) w w
__global__ void everyone_writes_one(const int *in, int *out, int n)
{
    out[threadIdx.x] = 1; // @w
}

//: stores_beside_atomics 48 32 : block-race s a, block-race s s
__global__ void stores_beside_atomics(const int *in, int *out, int n)
{
    if (blockIdx.x % 3 == 0)
        out[threadIdx.x * 3] = blockIdx.x; // @s
    else
        atomicAdd(&out[threadIdx.x * 3], 1); // @a
}

//: histogram_without_atomics 32 64 : block-race h h, global-race h h
__global__ void histogram_without_atomics(int *in, int *out, int n)
{
    int bin = (blockIdx.x * 64 + threadIdx.x) * 37 % 16;
    in[bin] += 1; // @h
}

//: stencil_in_place 64 64 : block-race s s, global-race s s
__global__ void stencil_in_place(int *in, int *out, int n)
{
    int i = blockIdx.x * 63 + threadIdx.x + 1;
    in[i] = in[i - 1] + in[i + 1]; // @s
}

//: flag_without_fence 64 32 : block-race d r
__global__ void flag_without_fence(int *in, int *out, int n)
{
    volatile int *flag = in + 512;
    if (blockIdx.x == 5) {
        out[threadIdx.x] = 7; // @d
        if (threadIdx.x == 0)
            *flag = 1;
    } else if (*flag == 1) {
        in[1024 + blockIdx.x * 32 + threadIdx.x] = out[threadIdx.x]; // @r
    }
}

//: branches_on_a_race 96 32 : block-race r b, block-race b b, block-race o o, block-race o l, block-race l l
__global__ void branches_on_a_race(int *in, int *out, int n)
{
    if (threadIdx.x == 0) {
        int seen = in[7]; // @r
        in[7] = seen + 1; // @b
        if (seen % 3 == 1)
            out[seen % 5] = blockIdx.x; // @o
        else if (seen % 3 == 2)
            in[100 + out[seen % 4] % 8] = seen; // @l
    }
}

//: tickets_choose_the_place 128 32 : block-race t t
__global__ void tickets_choose_the_place(int *in, int *out, int n)
{
    __shared__ int ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(&in[0], 1);
    __syncthreads();
    out[ticket % 7 * 32 + threadIdx.x] = blockIdx.x; // @t
}

//: smallest_without_atomics 64 32 : block-race r m, global-race r m, block-race m m, global-race m m
__global__ void smallest_without_atomics(int *in, int *out, int n)
{
    int v = (blockIdx.x * 32 + threadIdx.x) * 1103 % 4093;
    if (v < in[3000]) // @r
        in[3000] = v; // @m
}

//: first_comer_by_cas 64 32 : block-race r f, global-race f r
__global__ void first_comer_by_cas(int *in, int *out, int n)
{
    if (threadIdx.x == 0 && atomicCAS(&in[0], 0, blockIdx.x + 1) == 0)
        in[64] = blockIdx.x; // @f
    out[blockIdx.x * 32 + threadIdx.x] = in[64]; // @r
}

//: swaps_in_a_ring 64 64 : block-race s s, block-race e s, block-race v e
__global__ void swaps_in_a_ring(int *in, int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x, j = (i + 64) % 4096;
    int v = in[i]; // @v
    in[i] = in[j]; // @s
    in[j] = v; // @e
}

//: bytes_beside_words 32 32 : block-race b w, block-race b b, block-race w w
__global__ void bytes_beside_words(int *in, int *out, int n)
{
    if (blockIdx.x % 2)
        ((char *)out)[threadIdx.x * 5] = blockIdx.x; // @b
    else
        out[threadIdx.x] = blockIdx.x; // @w
}

//: races_inside_and_between 32 96 : race s s, block-race s g, block-race g g
__global__ void races_inside_and_between(int *in, int *out, int n)
{
    __shared__ int tile[96];
    tile[threadIdx.x * 7 % 48] = threadIdx.x + in[blockIdx.x % 3]; // @s
    __syncthreads();
    in[tile[threadIdx.x % 48] % 64] = blockIdx.x; // @g
}

// The first hands its numbers on without a fence, and those between hand on what they never got.
__device__ int passed[32];
__device__ volatile int told[4];
//: begun_without_a_fence 4 32 : block-race p g
__global__ void begun_without_a_fence(const int *in, int *out, int n)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (b > 0 && t == 0) {
        while (!told[b - 1])
            ;
        __threadfence();
    }
    __syncthreads();
    if (b == 0)
        passed[t] = in[t]; // @p
    if (b == 3)
        out[t] = passed[31 - t]; // @g
    __syncthreads();
    if (t == 0) {
        if (b != 0)
            __threadfence();
        told[b] = 1;
    }
}
