// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: each block's part is copied as a C library's memcpy does it: single floats up to a 16-byte boundary, then float4, then the rest, and single floats throughout where in and out are aligned differently, right for any n and any alignment, lanes side by side
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    int count = min(n - start, 8192);
    const float *from = in + start;
    float *to = out + start;
    int t = threadIdx.x;

    unsigned long long f = reinterpret_cast<unsigned long long>(from);
    unsigned long long g = reinterpret_cast<unsigned long long>(to);
    if (((f ^ g) & 15) != 0) {
        for (int i = t; i < count; i += 256)
            to[i] = from[i];
        return;
    }

    int head = min((int)((16 - (f & 15)) & 15) / 4, count);
    int quads = (count - head) / 4;
    int done = head + quads * 4;

    if (t < head)
        to[t] = from[t];
    const float4 *from4 = reinterpret_cast<const float4 *>(from + head);
    float4 *to4 = reinterpret_cast<float4 *>(to + head);
#pragma unroll 4
    for (int q = t; q < quads; q += 256)
        to4[q] = from4[q];
    if (t < count - done)
        to[done + t] = from[done + t];
}
