// lesson 13; device sim,gpu; nvcc; want: full; tries: counts in shared memory by the compiler's own __nv_atomic_add, relaxed and of block scope, which is atomicAdd by another name, barriers order clearing, counting and writing
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    auto count = [&](unsigned byte) {
        __nv_atomic_add(&counts[byte >> shift], 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    };

    counts[t] = 0;
    __syncthreads();
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int i = t; i < cols / 16; i += 256) {
            uint4 q = quads[i];
            unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int w = 0; w < 4; w++)
#pragma unroll
                for (int at = 0; at < 32; at += 8)
                    count(words[w] >> at & 255);
        }
    } else
        for (int i = t; i < cols; i += 256)
            count(bytes[i]);
    __syncthreads();
    out[blockIdx.x * 256 + t] = counts[t];
}
