// What the lab's device headers give clang, in one kernel; nvcc's own headers must give the same results.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

__device__ void put(int *&out, int value)
{
    *out = value;
    out += blockDim.x;
}

__global__ void language(int *out, const int *in)
{
    __shared__ int counts[8];
    __shared__ unsigned int wrapped, bits;
    __shared__ unsigned long long wide;
    __shared__ float sum;
    __shared__ unsigned short shorts[2];
    __shared__ __nv_bfloat16 brains[2];
    __shared__ __nv_bfloat162 brain_pair;
    __shared__ alignas(16) int4 copied[64]; // the two words in this order are nvcc's own
    const int t = threadIdx.x;
    out += t;
    if (t == 0) {
        for (int i = 0; i < 8; i++)
            counts[i] = i;
        wrapped = bits = 0;
        wide = 5;
        sum = 0;
        shorts[0] = shorts[1] = 0;
        brains[0] = brains[1] = 0.0f;
        brain_pair = __nv_bfloat162(brains[0], brains[1]);
    }
    __syncthreads();
    atomicAdd(&counts[0], in[t]);
    atomicSub(&counts[1], 2);
    atomicMax(&counts[2], t);
    atomicMin(&counts[3], -t);
    atomicAnd(&counts[4], ~t);
    atomicXor(&counts[5], 1 << (t & 31));
    atomicCAS(&counts[6], 6, 99);
    atomicInc(&wrapped, 10);
    atomicOr(&bits, 1u << (t & 31));
    atomicAdd(&wide, 1ull << 33);
    atomicAdd(&sum, 0.5f);
    unsigned short was, seen = shorts[t & 1];
    do {
        was = seen;
        seen = atomicCAS(&shorts[t & 1], was, (unsigned short)(was + t));
    } while (seen != was);
    atomicAdd(&brains[t & 1], __nv_bfloat16(1.0f));
    atomicAdd(&brain_pair, __nv_bfloat162(1.0f, 2.0f));
    __syncthreads();
    put(out, counts[t & 7]);
    put(out, (int)(wrapped + bits));
    put(out, (int)(wide >> 31));
    put(out, (int)sum);
    put(out, shorts[t & 1] + (int)(float)brains[t & 1] * 3 + (int)(float)(t & 1 ? brain_pair.x : brain_pair.y) * 1000);
    put(out, __shfl_sync(~0u, in[t], 5));
    put(out, __shfl_up_sync(~0u, in[t], 3, 16));
    put(out, __shfl_down_sync(~0u, in[t], 2, 8));
    put(out, __shfl_xor_sync(~0u, in[t], 17));
    put(out, (int)(__shfl_down_sync(~0u, (unsigned long long)in[t] << 20, 1) >> 18));
    put(out, (int)__shfl_xor_sync(~0u, (double)in[t] * 0.5, 4));
    put(out, (int)__ballot_sync(~0u, in[t] & 1));
    put(out, __any_sync(~0u, in[t] > 1000) + 2 * __all_sync(~0u, in[t] >= 0) + 4 * __uni_sync(~0u, t & 1));
    put(out, (int)__match_any_sync(~0u, in[t] & 3));
    put(out, __syncthreads_count(in[t] & 1) + __syncthreads_or(t == 7) + 2 * __syncthreads_and(t < 7));
    put(out, (int)(__reduce_add_sync(~0u, in[t]) + __reduce_max_sync(~0u, (unsigned)in[t])));
    put(out, (int)__popc(in[t]) + __clz(in[t]) + __ffs(in[t]) + (int)__brev(in[t]) + __popcll(~0ull >> t) + __clzll(1ll << t));
    put(out, (int)(__umulhi(in[t], 0x9e3779b9u) + __mulhi(-in[t], 1 << 30) + __byte_perm(in[t], t, 0x5140) + __sad(in[t], t, 3)));
    put(out, (int)(__byte_perm(in[t], t, 0xfa08 + t) + __fns(in[t] * 77u, t, 1 - t % 3)));
    unsigned long long word = in[t] * 0x9e3779b97f4a7c15ull;
    unsigned int count = in[t] * 40503u;
    unsigned long long turned = (word << (count & 63)) | (word >> (-count & 63)), back = (word >> (count & 63)) | (word << (-count & 63));
    put(out, (int)(turned ^ turned >> 32 ^ back >> 7 ^ ~(1ull << (count & 63))));
    put(out, (int)(__funnelshift_l(in[t], t, 7) + __funnelshift_r(in[t], t, 9) + __dp4a(in[t], t, 1)));
    put(out, __float_as_int(__fmul_rn((float)in[t], 1.1f)) + __float2int_ru(in[t] * 0.3f) + __float2int_rd(-in[t] * 0.3f));
    put(out, __float_as_int(__fdiv_rn((float)in[t], 7.0f)) ^ __float_as_int(sqrtf((float)in[t])));
    put(out, (int)(__double_as_longlong(fma((double)in[t], 1.1, 0.3)) >> 7));
    put(out, min(in[t], 20) + max(in[t], 10u) + abs(-t) + (int)fminf(in[t], 3.5f) + (int)roundf(in[t] * 0.5f));
    put(out, (int)(M_PI * 1e6) + (int)(M_SQRT2 * 1e6) + (INFINITY > HUGE_VALF) + 2 * (int)exp2f(in[t] - INFINITY) + isnan(NAN));
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    put(out, cg::reduce(tile, in[t], cg::plus<int>()) + 1000 * tile.shfl_down(t, 3) + (int)tile.thread_rank());
    put(out, (int)tile.ballot(in[t] & 1) + 256 * (int)tile.meta_group_rank() + (int)block.thread_rank());
    if (in[t] % 3) {
        auto these = cg::coalesced_threads();
        put(out, (int)these.size() * 100 + (int)these.thread_rank());
    } else {
        auto those = cg::coalesced_threads();
        put(out, (int)those.size() * 100 - (int)those.thread_rank());
    }
    if (in[t] & 1) {
        auto odd = cg::coalesced_threads();
        put(out, (int)odd.size() * 100 + (int)odd.thread_rank() + odd.shfl(t, 2));
    } else {
        put(out, -1);
    }
    half h = __float2half(in[t] * 0.37f);
    half2 p = __floats2half2_rn(in[t] * 0.1f, 2.5f);
    put(out, __half_as_ushort(__hfma(h, h, __hmul(h, h))) + (h > __float2half(4.0f)));
    put(out, __half_as_ushort(__low2half(p * p + __half2half2(h))) + __half_as_ushort(__shfl_xor_sync(~0u, h, 2)));
    __nv_bfloat16 b = __float2bfloat16(in[t] * 0.37f);
    put(out, __bfloat16_as_ushort(b * b + b));
    put(out, (int)(__half2_raw(p).y + __nv_bfloat162_raw(__nv_bfloat162(b, b)).x));
    __pipeline_memcpy_async(&copied[t], &((const int4 *)in)[t & 15], 16);
    __pipeline_memcpy_async(&copied[32 + t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    put(out, copied[31 - t].y + copied[63 - t].x);
    put(out, __ldg(&in[t]) + __ldcg(&in[t]) + __ldg(&((const int4 *)in)[t & 15]).w);
    int4 bytes;
    memset(&bytes, t, sizeof bytes);
    memcpy(&bytes.y, &in[t], sizeof(int));
    put(out, bytes.x + bytes.y + bytes.w);
#if defined(__clang__) && __clang_major__ < 19
    int stack[8]; // they know no other
#else
    int *stack = (int *)__builtin_alloca(((in[t] & 7) + 1) * sizeof *stack);
#endif
    for (int i = 0; i <= (in[t] & 7); i++)
        stack[i] = i * in[t];
    int folded = 0;
    for (int i = (in[t] & 7) + 1; i--;)
        folded = folded * 3 + stack[i * 5 % ((in[t] & 7) + 1)];
    put(out, folded);
    uint3 where = threadIdx;
    dim3 shape = blockDim;
    put(out, (int)(where.x + shape.x + gridDim.x + warpSize + (__isShared(counts) ? 1 : 0) + (__isGlobal(in) ? 2 : 0)));
}
