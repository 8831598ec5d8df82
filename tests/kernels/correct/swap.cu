// Atomics made of compare-and-swap: the first, plain load only guesses, or only tells whether to try.

__device__ inline float own_max(float *address, float value)
{
    int *place = (int *)address, old = *place, assumed;
    do {
        assumed = old;
        old = atomicCAS(place, assumed, __float_as_int(value > __int_as_float(assumed) ? value : __int_as_float(assumed)));
    } while (assumed != old);
    return __int_as_float(old);
}

//: sums_of_doubles 4 64 :
__global__ void sums_of_doubles(int *in, int *out, int n)
{
    unsigned long long *place = (unsigned long long *)in, old = *place, assumed;
    do {
        assumed = old;
        old = atomicCAS(place, assumed, __double_as_longlong(threadIdx.x + __longlong_as_double(assumed)));
    } while (assumed != old);
    out[blockIdx.x * 64 + threadIdx.x] = (int)__longlong_as_double(old); // right by then
}

//: maximum_in_shared_memory 2 64 :
__global__ void maximum_in_shared_memory(const int *in, int *out, int n)
{
    __shared__ float most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    own_max(&most, (float)in[threadIdx.x]);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = (int)most;
}

//: halves_of_words 2 64 :
__global__ void halves_of_words(int *in, int *out, int n)
{
    unsigned k = threadIdx.x % 8, shift = k % 2 * 16;
    unsigned *place = (unsigned *)in + k / 2, old = *place, seen;
    while (true) {
        seen = old;
        unsigned sum = (seen >> shift & 0xffff) + threadIdx.x;
        old = atomicCAS(place, seen, (seen & ~(0xffffu << shift)) | (sum & 0xffff) << shift);
        if (old == seen)
            break;
    }
}

//: by_generic_address 2 64 :
__global__ void by_generic_address(unsigned *in, int *out, int n)
{
    unsigned old = *in, assumed;
    do {
        assumed = old;
        asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(in), "r"(assumed), "r"(assumed * 3 + threadIdx.x) : "memory");
    } while (assumed != old);
}

//: larger_ones_only 4 64 :
__global__ void larger_ones_only(int *in, int *out, int n)
{
    int old = in[0];
    float value = (float)threadIdx.x;
    while (value > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(&in[0], assumed, __float_as_int(value));
    }
}

//: smaller_ones_return 4 64 :
__global__ void smaller_ones_return(int *in, int *out, int n)
{
    unsigned long long *place = (unsigned long long *)in, old = *place, assumed;
    double value = threadIdx.x;
    if (__longlong_as_double(old) >= value)
        return;
    do {
        assumed = old;
        if (__longlong_as_double(assumed) >= value)
            break;
        old = atomicCAS(place, assumed, __double_as_longlong(value));
    } while (assumed != old);
}

//: maximum_if_larger 4 64 :
__global__ void maximum_if_larger(int *in, int *out, int n)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    if ((int)threadIdx.x > most)
        atomicMax(&most, threadIdx.x);
    if ((int)threadIdx.x > in[0])
        atomicMax(&in[0], threadIdx.x);
}

//: first_to_come_goes_on 4 64 :
__global__ void first_to_come_goes_on(int *in, int *out, int n)
{
    int vertex = 64 + threadIdx.x % 16;
    if (in[vertex] == vertex && atomicCAS(&in[vertex], vertex, 7) == vertex)
        out[atomicAdd(&in[0], 1)] = vertex;
}

//: bit_that_is_set 4 64 :
__global__ void bit_that_is_set(int *in, int *out, int n)
{
    int bit = 1 << threadIdx.x % 16;
    if (in[1] & bit)
        return;
    if (!(atomicOr(&in[1], bit) & bit))
        out[atomicAdd(&in[0], 1)] = bit;
}

//: shorter_way 4 64 :
__global__ void shorter_way(int *in, int *out, int n)
{
    int vertex = 64 + threadIdx.x % 16, way = -(int)threadIdx.x;
    if (way < in[vertex]) {
        int before = atomicMin(&in[vertex], way);
        if (way < before)
            atomicAdd(&in[0], 1);
    }
}
