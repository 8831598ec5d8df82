// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: after its init an mbarrier of eight arrivals (lane 0 of each warp, behind a __syncwarp) parts clearing, counting and storing, polled by test_wait with the phase's parity; first quad of each thread is loaded between arriving and waiting
LAUNCH(256, 1, 1, 1)

struct Gate {
    unsigned long long word;
    __device__ unsigned at() const { return (unsigned)__cvta_generic_to_shared(&word); }
    __device__ void init(int count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at()), "r"(count) : "memory"); }
    __device__ void arrive_for_warp()
    {
        __syncwarp();
        if ((threadIdx.x & 31) == 0)
            asm volatile("{ .reg .b64 token; mbarrier.arrive.shared::cta.b64 token, [%0]; }" ::"r"(at()) : "memory");
    }
    __device__ void wait(unsigned parity)
    {
        unsigned over;
        do
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(at()), "r"(parity) : "memory");
        while (!over);
    }
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    __shared__ Gate gate;
    const int t = threadIdx.x;
    const unsigned char *const row = in + (size_t)cols * blockIdx.x;
    const uint4 *const quads = reinterpret_cast<const uint4 *>(row);
    const bool wide = cols % 16 == 0;

    if (t == 0)
        gate.init(8);
    __syncthreads();
    counts[t] = 0;
    gate.arrive_for_warp();

    uint4 next = make_uint4(0, 0, 0, 0);
    if (wide && t < cols / 16)
        next = quads[t];
    gate.wait(0);

    if (wide)
        for (int i = t; i < cols / 16; i += 256) {
            const unsigned words[4] = {next.x, next.y, next.z, next.w};
            if (i + 256 < cols / 16)
                next = quads[i + 256];
#pragma unroll
            for (int j = 0; j < 16; j++)
                atomicAdd(&counts[(words[j / 4] >> j % 4 * 8 & 255) >> shift], 1u);
        }
    else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[row[i] >> shift], 1u);

    gate.arrive_for_warp();
    gate.wait(1);
    out[blockIdx.x * 256 + t] = counts[t];
}
