// Kernels that lean on the libraries that come with CUDA.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <mma.h>
namespace cg = cooperative_groups;

__global__ void cub_reduce(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 256> reduce;
    __shared__ typename reduce::TempStorage temp;
    float sum = reduce(temp).Sum(in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
__global__ void cub_scan(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> scan;
    __shared__ typename scan::TempStorage temp;
    int value = in[threadIdx.x];
    scan(temp).ExclusiveSum(value, value);
    out[threadIdx.x] = value;
}
__global__ void cub_sort(unsigned *keys)
{
    typedef cub::BlockRadixSort<unsigned, 128, 4> sort;
    typedef cub::BlockLoad<unsigned, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> load;
    __shared__ union { typename sort::TempStorage sort; typename load::TempStorage load; } temp;
    unsigned items[4];
    load(temp.load).Load(keys, items);
    __syncthreads();
    sort(temp.sort).Sort(items);
    for (int i = 0; i < 4; i++)
        keys[threadIdx.x * 4 + i] = items[i];
}
__global__ void groups(int *data)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int sum = cg::reduce(tile, data[block.thread_rank()], cg::plus<int>());
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
        atomicAdd(data, sum + tile.shfl_down(sum, 1));
    block.sync();
}
__global__ void groups_copy(const float *in, float *out)
{
    __shared__ float tile[256];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
__global__ void barriers(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(16) float tile[256];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(float), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
    auto token = bar.arrive();
    bar.wait(std::move(token));
}
__global__ void pipelines(const float *in, float *out, int steps)
{
    __shared__ float tile[2][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[0], in, sizeof tile[0], pipe);
    pipe.producer_commit();
    float sum = 0;
    for (int i = 0; i < steps; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile[(i + 1) & 1], in + 256 * (i + 1), sizeof tile[0], pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        sum += tile[i & 1][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
__global__ void thread_pipeline(const int4 *in, int4 *out)
{
    __shared__ int4 tile[64];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, cuda::aligned_size_t<16>(sizeof(int4)), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void atomics(int *data)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> a(data[0]);
    a.fetch_add(1, cuda::memory_order_relaxed);
    a.fetch_max(threadIdx.x);
    int expected = 3;
    a.compare_exchange_strong(expected, 4, cuda::memory_order_acq_rel);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> b;
    b.store(1, cuda::memory_order_release);
    data[1] = b.load(cuda::memory_order_acquire);
}
__global__ void halves(__half2 *a, const __nv_bfloat16 *b, __nv_fp8_e4m3 *c)
{
    __half2 x = a[threadIdx.x];
    x = __hfma2(x, x, __float2half2_rn(2.0f));
    a[threadIdx.x] = h2exp(__hmax2(x, a[0]));
    __nv_bfloat16 y = __hadd(b[0], b[1]);
    c[threadIdx.x] = __nv_fp8_e4m3((float)y + (float)c[0]);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
__global__ void matrices(const __half *a, const __half *b, float *c)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
#endif
