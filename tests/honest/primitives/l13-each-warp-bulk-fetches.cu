// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: each warp has pieces of the row brought by bulk copies of its own, to two places with two mbarriers
LAUNCH(256, 1, 1, 1)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

constexpr int PIECE = 1024;  // bytes

__device__ __forceinline__ void wait(unsigned long long *barrier, unsigned parity)
{
    for (unsigned over = 0; !over;)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over) : "r"(AT(barrier)), "r"(parity) : "memory");
}

__device__ __forceinline__ void count(unsigned *counts, unsigned word, int shift)
{
    atomicAdd(&counts[(word & 255) >> shift], 1u);
    atomicAdd(&counts[(word >> 8 & 255) >> shift], 1u);
    atomicAdd(&counts[(word >> 16 & 255) >> shift], 1u);
    atomicAdd(&counts[word >> 24 >> shift], 1u);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ __align__(128) uint4 place[8][2][PIECE / 16];
    __shared__ __align__(8) unsigned long long full[8][2];
    __shared__ unsigned counts[256];

    const unsigned char *bytes = in + (size_t)blockIdx.x * cols;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;

    counts[t] = 0;
    if (lane < 2)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;"
                     :: "r"(AT(&full[warp][lane])) : "memory");
    __syncthreads();

    if (cols % 16 == 0) {
        // Turn i of a warp is piece 8 i + warp. Lane 0 asks for it, two turns ahead.
        auto fetch = [&](int i) {
            int from = (8 * i + warp) * PIECE, size = min(PIECE, cols - from);
            if (lane == 0 && size > 0) {
                unsigned barrier = AT(&full[warp][i % 2]);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                             :: "r"(barrier), "r"(size) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                             :: "r"(AT(place[warp][i % 2])), "l"(__cvta_generic_to_global(bytes + from)),
                                "r"(size), "r"(barrier)
                             : "memory");
            }
        };
        fetch(0);
        fetch(1);
        for (int i = 0; (8 * i + warp) * PIECE < cols; i++) {
            int quads = min(PIECE, cols - (8 * i + warp) * PIECE) / 16;
            wait(&full[warp][i % 2], i / 2 % 2);
#pragma unroll
            for (int j = 0; j < PIECE / 512; j++) {
                int q = lane + 32 * j;
                if (q < quads) {
                    uint4 v = place[warp][i % 2][q];
                    count(counts, v.x, shift);
                    count(counts, v.y, shift);
                    count(counts, v.z, shift);
                    count(counts, v.w, shift);
                }
            }
            __syncwarp();  // all lanes have read, and used, what lay there
            fetch(i + 2);
        }
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1u);
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
