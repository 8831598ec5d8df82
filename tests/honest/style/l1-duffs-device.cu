// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: Duff's device over eight float4 a thread, count known up front per block, pointers bumped, tail by a switch with fall through
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    const int first = blockIdx.x * 8192;
    const int mine = n - first < 8192 ? n - first : 8192;  // of this block
    const int quads = mine / 4, t = threadIdx.x;
    const float4 *from = (const float4 *)(in + first) + t;
    float4 *to = (float4 *)(out + first) + t;

    // Thread t has the quads t, t + 256, …: so many turns.
    int turns = (quads - t + 255) / 256;
    if (quads > t)
        switch (turns) {
        case 8: *to = *from; to += 256; from += 256;
        case 7: *to = *from; to += 256; from += 256;
        case 6: *to = *from; to += 256; from += 256;
        case 5: *to = *from; to += 256; from += 256;
        case 4: *to = *from; to += 256; from += 256;
        case 3: *to = *from; to += 256; from += 256;
        case 2: *to = *from; to += 256; from += 256;
        case 1: *to = *from;
        }

    if (t < mine % 4)
        out[first + quads * 4 + t] = in[first + quads * 4 + t];
}
