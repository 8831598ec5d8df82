// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp sums two rows at once and folds both with one set of shuffles: half the lanes keep one row, half the other; 64 threads a block
LAUNCH(64, 1, 4, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5) * 2;
    if (row >= rows)
        return;  // the whole warp
    const bool both = row + 1 < rows;
    const float *p = in + (size_t)row * cols, *q = both ? p + cols : p;

    float x = 0.0f, y = 0.0f;
    if (cols % 4 == 0)
        for (int i = lane; i < cols / 4; i += 32) {
            const float4 u = ((const float4 *)p)[i];
            const float4 v = both ? ((const float4 *)q)[i] : make_float4(0, 0, 0, 0);
            x += (u.x + u.y) + (u.z + u.w);
            y += (v.x + v.y) + (v.z + v.w);
        }
    else
        for (int i = lane; i < cols; i += 32) {
            x += p[i];
            y += both ? q[i] : 0.0f;
        }

    // Lanes 16 to 31 give x away and take y; the others the other way round.
    const bool upper = lane & 16;
    const float given = __shfl_xor_sync(~0u, upper ? x : y, 16);
    float mine = (upper ? y : x) + given;
    for (int s = 8; s; s >>= 1)
        mine += __shfl_xor_sync(~0u, mine, s);
    if ((lane & 15) == 0 && (!upper || both))
        out[row + upper] = mine;
}
