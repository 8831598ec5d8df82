// 18 attention: softmax(q kT / 8) v, for one head of 64 columns.
//
// Contract: q and out have `queries` rows, k and v `keys` rows, each of 64 floats. Row r of out is
// the mean of the rows of v, weighted by exp(score): score[j] is the dot product of row r of q and
// row j of k, over sqrt(64) = 8. Scores may be as large as 250, or all far below 0. All rows begin
// at a multiple of 256 bytes. A block covers 64 columns and some rows of out; LAUNCH says how many.
// Its fifth number, where there is one, is the bytes of dynamic shared memory, also above 48 KB.
LAUNCH(256, 1, 64, 8)

// Row `from` times `mine`, of which each lane has two columns; the sum is in all lanes.
__device__ float score(float2 mine, const float *from)
{
    float2 other = ((const float2 *)from)[threadIdx.x % 32];
    float sum = mine.x * other.x + mine.y * other.y;
    for (int bit = 16; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(~0u, sum, bit);
    return sum / 8;
}

__global__ void attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    // A warp for each query, two columns a lane.
    int row = blockIdx.y * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= queries)
        return;
    float2 mine = ((const float2 *)q)[row * 32 + lane];

    // exp(score) overflows beyond 88. exp(score - largest) does not, and the factor cancels out.
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < keys; j++)
        largest = fmaxf(largest, score(mine, k + j * 64));  // @k
    for (int j = 0; j < keys; j++)
        sum += expf(score(mine, k + j * 64) - largest);

    // TODO: right, but each query reads k three times and v once, and computes each score three
    //       times. Let a block take 64 queries or more, and bring q, k and v through shared memory,
    //       tile by tile.
    //
    // TODO: a tile is gone when the next one comes. What do the largest score, the sum, and what
    //       has been added to out have to become when the next tile has a larger one?
    float2 total = {};
    for (int j = 0; j < keys; j++) {
        float weight = expf(score(mine, k + j * 64) - largest) / sum;
        float2 value = ((const float2 *)v)[j * 32 + lane];
        total.x += weight * value.x;
        total.y += weight * value.y;
    }
    ((float2 *)out)[row * 32 + lane] = total;
}
