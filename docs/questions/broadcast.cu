// Lanes that want the same word share it. What a pair of lanes saves depends on the width.
__device__ float out[64];

__global__ void broadcast()
{
    __shared__ float words[64];
    __shared__ float2 pairs[64];
    int t = threadIdx.x;
    words[t] = out[t];
    pairs[t] = make_float2(out[t], out[t + 32]);
    __syncthreads();
    float a = words[5];              // one word for all
    a += words[t / 2];               // 16 words, each for two lanes
    a += words[t % 4 * 8];           // 4 words in 4 banks, each for eight lanes
    float2 b = pairs[t];             // 8 bytes, every lane its own
    float2 c = pairs[t / 2];         // lanes 0 and 1, 2 and 3 ... share
    float2 d = pairs[t & ~2];        // lanes 0 and 2, 1 and 3 ... share
    float2 e = pairs[t & ~4];        // lanes 0 and 4, 1 and 5 ... share
    out[t] = a + b.x + b.y + c.x + c.y + d.x + d.y + e.x + e.y;
}
