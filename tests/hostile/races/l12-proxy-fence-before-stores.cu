// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: results leave by a bulk store, but the proxy fence stands before the stores that fill its source, not after them
// 12 stencil: a tile with its halo, and four outputs a thread from one window of registers.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;  // tile[k] is in[first + k]

    __shared__ __align__(16) float result[1024];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    // The tile and its halo: each float once, neighbours by neighbours, zeros outside.
    for (int k = t; k < 1024 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();

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
    ((float4 *)result)[t] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    if (blockIdx.x * 1024 + 1024 <= n) {
        __syncthreads();
        if (t == 0)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;\n"
                         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;"
                         ::"l"(__cvta_generic_to_global(out + blockIdx.x * 1024)), "r"((unsigned)__cvta_generic_to_shared(result)) : "memory");
    } else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
