// Atomics of a block and of the system, as functions and of cuda::atomic_ref: nvcc's own headers must give the same results.
#include <cuda/atomic>

__global__ void scopes(int *out, const int *in)
{
    __shared__ int counts[12];
    __shared__ unsigned words[12];
    __shared__ unsigned long long wide[12];
    __shared__ long long ends[4];
    __shared__ float sums[4];
    __shared__ double sum;
    const int t = threadIdx.x, v = in[t];
    for (int i = t; i < 12; i += blockDim.x) {
        counts[i] = words[i] = 7 * i + 1;
        wide[i] = 7 * i + 1;
    }
    if (t < 4)
        ends[t] = sums[t] = 0;
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd_block(&counts[0], v);
    atomicSub_block(&counts[1], v);
    atomicAnd_block(&counts[2], ~v);
    atomicOr_block(&counts[3], v);
    atomicXor_block(&counts[4], v);
    atomicMin_block(&counts[5], -v);
    atomicMax_block(&counts[6], v);
    if (t == 3)
        atomicExch_block(&counts[7], v);
    atomicCAS_block(&counts[8], 57, in[1]);
    atomicAdd_system(&counts[9], v);
    atomicSub_system(&counts[10], v);
    atomicAdd_block(&words[0], v);
    atomicSub_block(&words[1], v);
    atomicMin_block(&words[2], 0u - v);
    atomicMax_block(&words[3], 0u - v);
    atomicInc_block(&words[4], 40);
    atomicDec_block(&words[5], 40);
    atomicMax_system(&words[6], 0u - v);
    atomicInc_system(&words[7], 50);
    atomicAdd_block(&wide[0], (unsigned long long)v << 40);
    atomicMin_block(&wide[1], 0ull - v);
    atomicMax_block(&wide[2], 0ull - v);
    atomicAnd_block(&wide[3], ~((unsigned long long)v << 30));
    atomicOr_block(&wide[4], (unsigned long long)v << 30);
    atomicXor_block(&wide[5], (unsigned long long)v << 30);
    if (t == 5)
        atomicExch_block(&wide[6], (unsigned long long)v << 35);
    atomicCAS_block(&wide[7], 50ull, (unsigned long long)in[0] << 33);
    atomicMin_block(&ends[0], -(long long)v);
    atomicMax_block(&ends[1], (long long)v << 34);
    atomicAdd_block(&sums[0], 0.5f * v);
    atomicAdd_system(&sums[1], 0.25f * v);
    if (t == 7)
        atomicExch_block(&sums[2], 1.5f * v);
    atomicAdd_block(&sum, 0.5 * v);
    __syncthreads();
    using cuda::memory_order_relaxed;
    cuda::atomic_ref<int, cuda::thread_scope_block> number(counts[11]);
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> word(words[11]), end(words[10]), other(words[9]);
    cuda::atomic_ref<long long, cuda::thread_scope_block> least(ends[2]);
    cuda::atomic_ref<float, cuda::thread_scope_block> real(sums[3]);
    number.fetch_add(v, memory_order_relaxed);
    number.fetch_sub(2 * v, memory_order_relaxed);
    word.fetch_xor(v << 3, memory_order_relaxed);
    end.fetch_max(0u - v, memory_order_relaxed);
    least.fetch_min(-(long long)v, memory_order_relaxed);
    real.fetch_add(0.5f * v, memory_order_relaxed);
    unsigned seen = other.load(memory_order_relaxed);
    while (!other.compare_exchange_weak(seen, seen + v, memory_order_relaxed)) {
    }
    __syncthreads();
    if (t == 0) {
        number.store(number.load(memory_order_relaxed) * 3, memory_order_relaxed);
        word.exchange(word.load(memory_order_relaxed) + 1, memory_order_relaxed);
    }
    __syncthreads();
    int value = 0;
    for (int i = 0; i < 12; i++, value++) {
        out[3 * i * blockDim.x + t] = counts[i];
        out[(3 * i + 1) * blockDim.x + t] = words[i];
        out[(3 * i + 2) * blockDim.x + t] = (int)(wide[i] ^ wide[i] >> 29);
    }
    for (int i = 0; i < 4; i++) {
        out[(36 + i) * blockDim.x + t] = (int)(ends[i] ^ ends[i] >> 31);
        out[(40 + i) * blockDim.x + t] = (int)(4 * sums[i]);
    }
    out[44 * blockDim.x + t] = (int)(2 * sum);
}
