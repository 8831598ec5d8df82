// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: every warp takes an eighth of each of the block's eight rows, 64 sums go to part[row][warp], and after the only barrier warp r adds those of row r, each place has one writer, all lanes shuffle
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[8][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int first = blockIdx.x * 8, many = min(8, rows - first);

    float sums[8] = {};
    const float *begin = in + (long long)first * cols;
    if (cols % 4 == 0 && many == 8) {
        const float4 *quads = (const float4 *)begin;
        int pitch = cols / 4;
        for (int i = t; i < pitch; i += 256) {
            float4 q[8];  // eight loads, one of each row, before the first addition
#pragma unroll
            for (int r = 0; r < 8; r++)
                q[r] = quads[r * pitch + i];
#pragma unroll
            for (int r = 0; r < 8; r++)
                sums[r] += (q[r].x + q[r].y) + (q[r].z + q[r].w);
        }
    } else {
#pragma unroll 1
        for (int i = t; i < cols; i += 256)
#pragma unroll
            for (int r = 0; r < 8; r++)
                if (r < many)
                    sums[r] += begin[(long long)r * cols + i];
    }

#pragma unroll
    for (int s = 16; s > 0; s /= 2)
#pragma unroll
        for (int r = 0; r < 8; r++)
            sums[r] += __shfl_xor_sync(0xffffffff, sums[r], s);
    // all lanes have all eight sums now: lane r stores that of row r
    float mine = 0.0f;
#pragma unroll
    for (int r = 0; r < 8; r++)
        if (lane == r)
            mine = sums[r];
    if (lane < 8)
        part[lane][warp ^ lane] = mine;  // the order within a row is free, so no two meet in a bank
    __syncthreads();

    float sum = lane < 8 ? part[warp][lane] : 0.0f;
    for (int s = 4; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0 && warp < many)
        out[first + warp] = sum;
}
