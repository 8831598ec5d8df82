// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: a ring of three tiles over a strip of 256 rows: the duty to fetch goes round, box s is asked for by warp s % 4, once all four warps have given its place back through an mbarrier
#include <cuda.h>

LAUNCH(32, 4, 32, 256)

constexpr int PLACES = 3;

__device__ __forceinline__ unsigned at(const void *place) { return (unsigned)__cvta_generic_to_shared(place); }

__device__ __forceinline__ void ptx_barrier_init(unsigned long long *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void ptx_barriers_visible() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void ptx_arrive(unsigned long long *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}

__device__ __forceinline__ void ptx_arrive_expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}

__device__ __forceinline__ bool ptx_over(unsigned long long *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
    return over;
}

__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
    while (!ptx_over(bar, parity))
        ;
}

// The box from column x, row y on. What lies outside of the tensor is 0 and counts as bytes, too.
__device__ __forceinline__ void ptx_copy_box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 :: "r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

struct Ring {
    float4 tile[PLACES][32][8];
    unsigned long long full[PLACES], empty[PLACES];
};

__global__ void __launch_bounds__(128)
transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
          const __grid_constant__ CUtensorMap out_map, int width, int height)
{
    __shared__ __align__(1024) Ring ring;

    const int lane = threadIdx.x, warp = threadIdx.y;
    const int x0 = blockIdx.x * 32, top = blockIdx.y * 256;
    const int boxes = min(8, (height - top + 31) / 32);

    if (warp == 0 && lane == 0) {
        for (int p = 0; p < PLACES; p++) {
            ptx_barrier_init(&ring.full[p], 1);
            ptx_barrier_init(&ring.empty[p], 4);
        }
        ptx_barriers_visible();
    }
    __syncthreads();

    // Box s goes to place s % 3 in round s / 3. Whose turn it is waits until the place's last box was read by
    // all warps (in round 0 for nothing: a new barrier is past its phase of parity 1), and asks for the next one.
    auto ask = [&](int s) {
        if (s >= boxes || warp != s % 4)
            return;
        if (lane == 0) {
            const int place = s % PLACES, round = s / PLACES;
            wait(&ring.empty[place], (round + 1) & 1);
            ptx_arrive_expect(&ring.full[place], 4096);
            ptx_copy_box(ring.tile[place], &in_map, x0, top + s * 32, &ring.full[place]);
        }
        __syncwarp();
    };

    ask(0);
    ask(1);
    for (int s = 0; s < boxes; s++) {
        ask(s + 2);

        const int place = s % PLACES, round = s / PLACES, y = top + s * 32 + lane;
        wait(&ring.full[place], round & 1);
        const float4 one = ring.tile[place][lane][warp ^ (lane & 7)];
        const float4 two = ring.tile[place][lane][(warp + 4) ^ (lane & 7)];
        ptx_barriers_visible();  // a load that nobody has used yet may still be under way when the next box lands
        __syncwarp();
        if (lane == 0)
            ptx_arrive(&ring.empty[place]);  // the place may be filled while we store

        if (y < height) {
            float *to = out + (size_t)(x0 + warp * 4) * height + y;
            if (x0 + warp * 4 < width) {
                to[0] = one.x;
                to[height] = one.y;
                to[2 * height] = one.z;
                to[3 * height] = one.w;
            }
            to += (size_t)16 * height;
            if (x0 + (warp + 4) * 4 < width) {
                to[0] = two.x;
                to[height] = two.y;
                to[2 * height] = two.z;
                to[3 * height] = two.w;
            }
        }
    }
}
