// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: a nervous beginner's first tile: 256 outputs and a halo of 8 on both sides by 256 threads, one output each from 17 words of the tile, size_t and int mixed; right, but 17 loads an output where a window of registers needs five of 16 bytes for four
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    const int radius = 8;
    const size_t threads = 256;
    __shared__ float tile[256 + 2 * 8];
    size_t me = threadIdx.x;
    long firstOutput = (long)(blockIdx.x * threads);
    long firstInput = firstOutput - radius;

    // my own word of the tile
    long a = firstInput + (long)me;
    bool aExists = (a >= 0) && (a < (long)n);
    float av = aExists ? in[a] : 0.0f;
    tile[me] = av;
    // sixteen of us bring a second word
    if (me < (size_t)(2 * radius)) {
        size_t slot = me + threads;
        long b = firstInput + (long)slot;
        bool bExists = (b >= 0) && (b < (long)n);
        float bv = bExists ? in[b] : 0.0f;
        tile[slot] = bv;
    }
    __syncthreads();

    long myOutput = firstOutput + (long)me;
    float sum = 0.0f;
    int d = -radius;
    do {
        int where = (int)me + radius + d;
        sum = sum + tile[where];
        d = d + 1;
    } while (d <= radius);
    if (myOutput >= (long)n)
        return;
    out[myOutput] = sum;
}
