// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: all four boxes of a strip are on their way at once, one for each warp, with a tile and an mbarrier of its own: no barrier of the block, no loop over steps
#include <cuda.h>

LAUNCH(32, 4, 32, 128)

namespace {

__device__ __forceinline__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// One lane of the warp, whichever the hardware likes.
__device__ __forceinline__ bool elected()
{
    unsigned me;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 who;\n\telect.sync who|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(me));
    return me;
}

// Eight bytes of shared memory that count one arrival and the bytes of one box.
struct Arrival {
    unsigned long long word;

    __device__ void make()
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(shared_address(&word)) : "memory");
    }
    __device__ void fetch(void *to, const CUtensorMap &map, int x, int y, unsigned bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&word)), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(shared_address(to)), "l"(&map), "r"(x), "r"(y), "r"(shared_address(&word)) : "memory");
    }
    __device__ void wait()  // for its only phase
    {
        unsigned over = 0;
        while (!over)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(over) : "r"(shared_address(&word)) : "memory");
    }
};

// The tile first: every one of the four begins at a multiple of 1024 bytes.
struct Box {
    float4 chunk[32][8];
    __device__ float4 get(int row, int q) const { return chunk[row][q ^ (row & 7)]; }
};

}  // namespace

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) Box boxes[4];
    __shared__ Arrival arrivals[4];

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128 + warp * 32;
    if (y0 >= height)
        return;  // a whole warp; nobody knows it

    Box &box = boxes[warp];
    Arrival &arrival = arrivals[warp];
    if (elected()) {
        arrival.make();
        arrival.fetch(&box, in_map, x0, y0, sizeof(Box));
    }
    __syncwarp();  // the barrier has been made
    arrival.wait();

    if (y0 + lane >= height)
        return;
    float *to = out + (size_t)x0 * height + y0 + lane;
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        if (x0 + 4 * q >= width)  // width is a multiple of 4
            break;
        const float4 four = box.get(lane, q);
        to[0] = four.x;
        to[(size_t)height] = four.y;
        to[(size_t)height * 2] = four.z;
        to[(size_t)height * 3] = four.w;
        to += (size_t)height * 4;
    }
}
