// lesson 12; device sim; nvcc,clang; want: fail|timeout; tries: each warp fills its part, store-releases a word of its own, and then sets its flag relaxed; the neighbour acquires the flag. A release of one word does not order what came before with a later relaxed store to another: the halo is read unordered
LAUNCH(256, 1, 1024, 1)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    __shared__ unsigned filled[8], released[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * 1024 - 8;
    if (t < 8)
        filled[t] = released[t] = 0;
    __syncthreads();

    // A warp brings 128 words, the last one the halo on the right as well.
    int end = warp == 7 ? 1040 : warp * 128 + 128;
    for (int k = warp * 128 + lane; k < end; k += 32)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncwarp();
    if (lane == 0) {
        asm volatile("st.release.cta.shared.u32 [%0], 1;" :: "r"(AT(&released[warp])) : "memory");
        asm volatile("st.relaxed.cta.shared.u32 [%0], 1;" :: "r"(AT(&filled[warp])) : "memory");
    }
    if (warp < 7)  // the last 16 words of the window are the next warp's
        for (unsigned there = 0; !there;)
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(there) : "r"(AT(&filled[warp + 1])) : "memory");

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
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
