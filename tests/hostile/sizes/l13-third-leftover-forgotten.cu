// lesson 13; device sim; nvcc,clang; want: fail; tries: four loads of 16 bytes at once, then up to two that are left over, though three can be, loses bytes where cols / 16 % 1024 is above 512, so for rows of 12800 bytes
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    counts[t] = 0;
    __syncthreads();

    auto count = [&](uint4 q) {
        unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int w = 0; w < 4; w++)
#pragma unroll
            for (int at = 0; at < 32; at += 8)
                atomicAdd(&counts[(words[w] >> at & 255) >> shift], 1);
    };

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        int many = cols / 16, i = t;
        for (; i + 768 < many; i += 1024) {
            uint4 q0 = quads[i], q1 = quads[i + 256], q2 = quads[i + 512], q3 = quads[i + 768];
            count(q0);
            count(q1);
            count(q2);
            count(q3);
        }
        if (i + 256 < many) {
            count(quads[i]);
            i += 256;
        }
        if (i < many)
            count(quads[i]);
    } else
        for (int i = t; i < cols; i += 256)
            atomicAdd(&counts[bytes[i] >> shift], 1);
    __syncthreads();

    out[blockIdx.x * 256 + t] = counts[t];
}
