// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp waits by a named barrier for the warp on its right, whose first 16 words it needs; the last warp's 16 words are brought by warp 0, and nobody makes it wait for that one
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;  // tile[k] is in[first + k]

    // The tile and its halo: each float once, neighbours by neighbours, zeros outside.
    // Warp w brings words 128 w to 128 w + 127, and warp 0 the last 16, which are over.
    int warp = t / 32, lane = t % 32;
    for (int j = 0; j < 5; j++) {
        int k = j < 4 ? warp * 128 + j * 32 + lane : 1024 + lane;
        if (j < 4 || (warp == 0 && lane < 16))
            tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    }
    __syncwarp();
    // Warp w reads its own 128 words and 16 of warp w + 1: a chain of pairs will do.
    if (warp > 0)
        asm volatile("bar.arrive %0, 64;" ::"r"(warp) : "memory");
    if (warp < 7)
        asm volatile("bar.sync %0, 64;" ::"r"(warp + 1) : "memory");

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
