// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each warp has a tile of its own, and between filling and reading stands a memory fence in place of __syncwarp(): a fence waits for no other lane, so a lane may read what another has not stored yet
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    // A warp computes 128 outputs from 144 inputs of its own: no barrier of the whole block.
    __shared__ __align__(16) float tiles[8][128 + 16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int start = blockIdx.x * 1024 + warp * 128, first = start - 8;
    float *tile = tiles[warp];

    for (int k = lane; k < 128 + 16; k += 32)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __threadfence_block();  // the tile is there for all lanes

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

    int i = start + 4 * lane;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
