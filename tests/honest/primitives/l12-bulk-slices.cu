// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: interior blocks: each warp has its slice of the tile copied in bulk, one mbarrier, blocks at the ends fill by hand
LAUNCH(256, 1, 1024, 1)

constexpr int TILE = 1024 + 16;

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ bool elected()
{
    unsigned yes;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(yes));
    return yes;
}

__global__ void __launch_bounds__(256) stencil(float *out, const float *in, int n)
{
    __shared__ __align__(128) float tile[TILE];  // tile[j] is in[first + j]
    __shared__ __align__(8) unsigned long long full;

    const int t = threadIdx.x, warp = t / 32, first = (int)blockIdx.x * 1024 - 8;

    if (first >= 0 && first + TILE <= n) {  // the same for all threads of the block
        if (t == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 8;" :: "r"(at(&full)) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        __syncthreads();

        // 128 floats for each warp, and for the last one the 16 at the end as well.
        if (elected()) {
            const int from = warp * 128;
            const unsigned bytes = warp == 7 ? 576 : 512;
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(&full)), "r"(bytes) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         :: "r"(at(tile + from)), "l"(__cvta_generic_to_global(in + first + from)), "r"(bytes), "r"(at(&full))
                         : "memory");
        }
        __syncwarp();
        unsigned over = 0;
        do {
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(at(&full)) : "memory");
        } while (!over);
    } else {
        for (int j = t; j < TILE; j += 256)
            tile[j] = first + j >= 0 && first + j < n ? in[first + j] : 0.0f;
        __syncthreads();
    }

    float window[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        const float4 four = reinterpret_cast<const float4 *>(tile)[t + q];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float middle = 0.0f;  // what all four outputs have in common
#pragma unroll
    for (int d = 3; d < 17; d++)
        middle += window[d];
    const float two = window[1] + window[2], three = window[17] + window[18];
    const float4 sums = make_float4(middle + (window[0] + two), middle + (two + window[17]),
                                    middle + (window[2] + three), middle + (three + window[19]));

    const int i = blockIdx.x * 1024 + 4 * t;
    if (i + 4 <= n)
        *reinterpret_cast<float4 *>(out + i) = sums;
    else {
        if (i < n) out[i] = sums.x;
        if (i + 1 < n) out[i + 1] = sums.y;
        if (i + 2 < n) out[i + 2] = sums.z;
    }
}
