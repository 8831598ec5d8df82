// lesson 8; device sim,gpu; nvcc,clang; want: pass; tries: completion is tracked by an mbarrier through cp.async.mbarrier.arrive.noinc, as in CUTLASS, instead of groups
#include <cuda_pipeline.h>

LAUNCH(32, 8, 32, 32)

class CopyBarrier {
public:
    __device__ explicit CopyBarrier(unsigned long long *word) : at_((unsigned)__cvta_generic_to_shared(word)) {}
    __device__ void init(unsigned threads)
    {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at_), "r"(threads) : "memory");
    }
    // This thread arrives once all its earlier asynchronous copies have.
    __device__ void arrive_with_copies()
    {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at_) : "memory");
    }
    __device__ void wait()
    {
        unsigned over = 0;
        do
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(at_), "r"(parity_) : "memory");
        while (!over);
        parity_ ^= 1;
    }

private:
    unsigned at_, parity_ = 0;
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];
    __shared__ unsigned long long word;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 32 + tx;
    CopyBarrier here(&word);
    if (tx == 0 && ty == 0)
        here.init(256);
    __syncthreads();

    float sum[4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int r = ty; r < 32; r += 8) {
            const bool in_a = row0 + r < m && k0 + tx < k, in_b = k0 + r < k && column < n;
            __pipeline_memcpy_async(&a_tile[r][tx], in_a ? &a[(size_t)(row0 + r) * k + k0 + tx] : a, 4, in_a ? 0 : 4);
            __pipeline_memcpy_async(&b_tile[r][tx], in_b ? &b[(size_t)(k0 + r) * n + column] : b, 4, in_b ? 0 : 4);
        }
        here.arrive_with_copies();
        here.wait();  // all 256 threads' copies, of this step

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            float y[4];
#pragma unroll
            for (int j = 0; j < 4; ++j)
                y[j] = b_tile[i + j][tx];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                const float4 x = *reinterpret_cast<const float4 *>(&a_tile[ty + 8 * p][i]);
                sum[p] += x.x * y[0] + x.y * y[1] + x.z * y[2] + x.w * y[3];
            }
        }
        __syncthreads();  // nobody reads these tiles any more
    }

#pragma unroll
    for (int p = 0; p < 4; ++p)
        if (row0 + ty + 8 * p < m && column < n)
            c[(size_t)(row0 + ty + 8 * p) * n + column] = sum[p];
}
