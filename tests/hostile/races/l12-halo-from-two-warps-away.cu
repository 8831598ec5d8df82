// lesson 12; device sim,gpu; nvcc,clang; want: fail; tries: warps meet their two neighbours by barriers of 64, but the halo of the tile is brought by warp 2, whom warps 0 and 7 never meet
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * 1024 - 8;

    auto bring = [&](int k) { tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f; };
    for (int j = 0; j < 4; j++)
        bring(8 + warp * 128 + j * 32 + lane);
    if (warp == 2 && lane < 16)
        bring(lane < 8 ? lane : 1024 + lane);

    // Pairs (0, 1), (2, 3) ... first, then (1, 2), (3, 4) ...
    for (int round = 0; round < 2; round++) {
        int right = warp % 2 == round;
        int pair = right ? warp : warp - 1;
        if (pair >= 0 && pair < 7)
            asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
    }

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
