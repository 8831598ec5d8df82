// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: eight outputs a thread, put back into the tile, so that they leave it side by side
LAUNCH(128, 1, 1024, 1)

constexpr int OUTPUTS = 1024, WORDS = OUTPUTS + 16;

// Threads are two quads apart. Quads 8 to 15 of each 16 stand in swapped pairs, so that eight threads in a row
// find theirs in eight different groups of banks.
__device__ inline int place(int quad)
{
    return quad ^ (quad >> 3 & 1);
}

__global__ void __launch_bounds__(128) stencil(float *out, const float *in, int n)
{
    __shared__ float4 tile[WORDS / 4];
    const int t = threadIdx.x, first = blockIdx.x * OUTPUTS - 8;

    for (int k = t; k < WORDS; k += 128) {
        const bool exists = first + k >= 0 && first + k < n;
        reinterpret_cast<float *>(tile)[place(k / 4) * 4 + k % 4] = exists ? in[first + k] : 0.0f;
    }
    __syncthreads();

    float window[24];
#pragma unroll
    for (int q = 0; q < 6; q++) {
        const float4 four = tile[place(2 * t + q)];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }

    float sums[8], sum = 0.0f;
#pragma unroll
    for (int d = 0; d < 17; d++)
        sum += window[d];
    sums[0] = sum;
#pragma unroll
    for (int j = 1; j < 8; j++)
        sums[j] = sum += window[16 + j] - window[j - 1];

    __syncthreads();  // all have their windows: the tile is free
    tile[place(2 * t)] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    tile[place(2 * t + 1)] = make_float4(sums[4], sums[5], sums[6], sums[7]);
    __syncthreads();

#pragma unroll
    for (int q = t; q < OUTPUTS / 4; q += 128) {
        const float4 four = tile[place(q)];
        const int i = blockIdx.x * OUTPUTS + 4 * q;
        if (i + 3 < n)
            *reinterpret_cast<float4 *>(out + i) = four;
        else {
            if (i < n)
                out[i] = four.x;
            if (i + 1 < n)
                out[i + 1] = four.y;
            if (i + 2 < n)
                out[i + 2] = four.z;
        }
    }
}
