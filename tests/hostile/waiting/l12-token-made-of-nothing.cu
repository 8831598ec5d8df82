// lesson 12; device sim; nvcc,clang; want: fail|timeout; tries: waits at an mbarrier with a token of 0 that no arrival returned: tokens are opaque, and PTX leaves it undefined
// 12 stencil: a tile with its halo, and four outputs a thread from one window of registers.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    __shared__ unsigned long long barrier;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;  // tile[k] is in[first + k]

    // The tile and its halo: each float once, neighbours by neighbours, zeros outside.
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" :: "r"(bar) : "memory");
    __syncthreads();
    for (int k = t; k < 1024 + 16; k += 256) {
        if (first + k >= 0 && first + k < n)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(tile + k)), "l"(__cvta_generic_to_global(in + first + k)) : "memory");
        else
            tile[k] = 0.0f;
    }
    asm volatile("cp.async.wait_all;\n\t{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(bar) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(bar), "l"(0ull) : "memory");

    // Outputs 4 t to 4 t + 3 want 20 words: five loads of 16 bytes.
    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];  // @take
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
