// What only sm_90 has: bulk copies, clusters, and what only sm_90a has: wgmma.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda.h>
namespace cg = cooperative_groups;
namespace cde = cuda::device::experimental;
__global__ void bulk(const float *in, float *out)
{
    __shared__ alignas(128) float tile[1024];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
    bar.arrive_and_wait();
    tile[threadIdx.x] *= 2;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(out, tile, sizeof tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}
__global__ void tensor(const __grid_constant__ CUtensorMap map, float *out)
{
    __shared__ alignas(128) float tile[1024];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 32, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else
        token = bar.arrive();
    bar.wait(std::move(token));
    out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void __cluster_dims__(2, 1, 1) clusters(int *out)
{
    __shared__ int value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        value = cluster.block_rank();
    cluster.sync();
    int *other = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
    out[blockIdx.x] = *other;
    cluster.sync();
}
__global__ void fragments(const __half_raw *a, unsigned *out)
{
    __shared__ alignas(16) unsigned short tile[512];
    unsigned r[4], address = (unsigned)__cvta_generic_to_shared(tile + 16 * (threadIdx.x & 15));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[0]), "r"(r[1]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [%0], {%1, %2};" ::"r"(address), "r"(r[0]), "r"(r[1]));
    unsigned elected;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(elected));
    out[threadIdx.x] = __float_as_uint(d[0]) + elected + __reduce_add_sync(~0u, r[2]);
}
#if __CUDA_ARCH_FEAT_SM90_ALL
__global__ void warpgroup(unsigned long long da, unsigned long long db, float *out)
{
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 40;");
    out[threadIdx.x] = d[0];
}
#endif
