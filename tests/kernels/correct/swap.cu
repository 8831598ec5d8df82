// Atomics made of compare-and-swap: the first, plain load only guesses.

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
