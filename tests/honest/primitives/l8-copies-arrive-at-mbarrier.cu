// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: no groups: each thread's copies arrive at an mbarrier (cp.async.mbarrier.arrive.noinc), its phase is wait and barrier in one
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

constexpr int T = 32;

struct Arrivals {
    unsigned at;
    __device__ explicit Arrivals(unsigned long long *place) : at((unsigned)__cvta_generic_to_shared(place)) {}
    __device__ void init(unsigned count) const
    {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(count) : "memory");
    }
    // This thread's one arrival, made by hardware when all copies that it has issued so far are there.
    __device__ void arrive_when_copied() const
    {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at) : "memory");
    }
    __device__ void wait(unsigned parity) const
    {
        unsigned over;
        do {
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(at), "r"(parity) : "memory");
        } while (!over);
    }
};

__global__ void __launch_bounds__(T * T, 2)  // two blocks an SM
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[T][T], b_tile[T][T];
    __shared__ unsigned long long place;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    const Arrivals full(&place);
    if (tx == 0 && ty == 0)
        full.init(T * T);
    __syncthreads();

    float sum = 0.0f;
    unsigned parity = 0;
    for (int k0 = 0; k0 < k; k0 += T, parity ^= 1) {
        const bool in_a = row < m && k0 + tx < k, in_b = column < n && k0 + ty < k;
        __pipeline_memcpy_async(&a_tile[ty][tx], in_a ? a + (size_t)row * k + k0 + tx : a, 4, in_a ? 0 : 4);
        __pipeline_memcpy_async(&b_tile[ty][tx], in_b ? b + (size_t)(k0 + ty) * n + column : b, 4, in_b ? 0 : 4);
        full.arrive_when_copied();
        full.wait(parity);  // 1024 arrivals: the copies of everybody are here, for everybody

#pragma unroll
        for (int i = 0; i < T; i++)
            sum = fmaf(a_tile[ty][i], b_tile[i][tx], sum);
        __syncthreads();  // read by all before the next copies land
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
