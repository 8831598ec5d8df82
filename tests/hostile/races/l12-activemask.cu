// lesson 12; device sim; nvcc,clang; want: fail|timeout; tries: each warp has a tile of its own and meets at __syncwarp(__activemask()) after a branch: lanes that have not come together again name only themselves and are not ordered, a race
// 12 stencil: each output wants its neighbours' inputs.
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    // A warp has 128 outputs, and a tile of 128 + 16 words that no other warp uses.
    __shared__ __align__(16) float tiles[8][128 + 16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int first = blockIdx.x * 1024 + warp * 128 - 8;  // tile[k] is in[first + k]
    float *tile = tiles[warp];

    for (int k = lane; k < 128; k += 32)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    if (lane < 16) {
        int k = lane + 128;
        tile[k] = first + k < n ? in[first + k] : 0.0f;
    }
    __syncwarp(__activemask());  // those who are here

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[lane + q];  // @take
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

    int i = first + 8 + 4 * lane;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
