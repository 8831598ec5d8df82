// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: the eight warps of a block cut eight rows into strips of columns, so that a lane has eight loads of eight rows under way; lanes then exchange and halve what they hold, and 64 partial sums pass through shared memory
LAUNCH(256, 1, 8, 1)

// Eight sums a lane become one: after three rounds lane l holds row (l & 7), summed over the eight
// lanes around it, and two more rounds add what lies 8 and 16 lanes apart.
__device__ float exchange(float (&sum)[8])
{
    const unsigned lane = threadIdx.x & 31;
#pragma unroll
    for (int width = 4; width > 0; width /= 2) {
        const bool upper = lane & width;
#pragma unroll
        for (int i = 0; i < width; i++) {
            float keep = upper ? sum[i + width] : sum[i], give = upper ? sum[i] : sum[i + width];
            sum[i] = keep + __shfl_xor_sync(0xffffffffu, give, width);
        }
    }
    float one = sum[0];
    one += __shfl_xor_sync(0xffffffffu, one, 8);
    one += __shfl_xor_sync(0xffffffffu, one, 16);
    return one;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[8][9];  // [row][warp]; nine, so that eight rows lie in eight banks
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, row0 = blockIdx.x * 8;

    float sum[8] = {};
    if (cols % 4 == 0) {
        const int quads = cols / 4;
        const float4 *from = (const float4 *)in + (size_t)row0 * quads;
        for (int i = threadIdx.x; i < quads; i += 256) {
            float4 q[8];
#pragma unroll
            for (int r = 0; r < 8; r++)
                q[r] = row0 + r < rows ? from[(size_t)r * quads + i] : make_float4(0, 0, 0, 0);
#pragma unroll
            for (int r = 0; r < 8; r++)
                sum[r] += (q[r].x + q[r].y) + (q[r].z + q[r].w);
        }
    } else {
        const float *from = in + (size_t)row0 * cols;
        for (int i = threadIdx.x; i < cols; i += 256)
#pragma unroll
            for (int r = 0; r < 8; r++)
                if (row0 + r < rows)
                    sum[r] += from[(size_t)r * cols + i];
    }

    float mine = exchange(sum);
    if (lane < 8)
        part[lane][warp] = mine;
    __syncthreads();

    // Warp w finishes row w: eight lanes, one number each.
    float total = lane < 8 ? part[warp][lane] : 0.0f;
#pragma unroll
    for (int bit = 4; bit > 0; bit /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, bit);
    if (lane == 0 && row0 + warp < rows)
        out[row0 + warp] = total;
}
