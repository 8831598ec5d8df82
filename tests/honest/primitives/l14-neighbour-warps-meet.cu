// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: sixteen warps with six rows each of a 96 x 96 tile; after filling and after each step a warp meets only the one above and the one below, at named barriers of 64 threads, even and odd ones in opposite order, since a step looks one row further
constexpr int SIDE = 96, BYTES = 2 * SIDE * SIDE * 4, WARPS = 16, ROWS = SIDE / WARPS;
LAUNCH(32, WARPS, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float memory[];

// Barrier w is that of warps w - 1 and w, for w from 1 to 15.
__device__ __forceinline__ void shake_hands(int w)
{
    if (w > 0 && w < WARPS)
        asm volatile("barrier.sync.aligned %0, 64;" ::"r"(w) : "memory");
}
__device__ __forceinline__ void meet_neighbours(int warp)
{
    const int odd = warp & 1;
    shake_hands(warp + 1 - odd);  // even warps begin with the one below, odd ones with the one above
    shake_hands(warp + odd);
}

__global__ void __launch_bounds__(32 * WARPS, 3) relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;
    const int lane = threadIdx.x, warp = threadIdx.y, first = warp * ROWS;
    const int x0 = blockIdx.x * (SIDE - 16) - 8, y0 = blockIdx.y * (SIDE - 16) - 8;

#pragma unroll
    for (int j = 0; j < ROWS; j++)
#pragma unroll
        for (int c = lane; c < SIDE; c += 32) {
            const int r = first + j, y = y0 + r, x = x0 + c;
            now[r * SIDE + c] = y >= 0 && y < rows && x >= 0 && x < cols ? in[y * cols + x] : 0.0f;
        }
    meet_neighbours(warp);

    for (int step = 1; step <= 8; step++) {
#pragma unroll
        for (int third = 0; third < 3; third++) {
            const int c = lane + third * 32, x = x0 + c;
            if (c < step || c >= SIDE - step)
                continue;
            const bool column = x >= 0 && x < cols;
            for (int r = max(first, step); r < min(first + ROWS, SIDE - step); r++) {
                const int y = y0 + r;
                const float *const at = now + r * SIDE + c;
                next[r * SIDE + c] = column && y >= 0 && y < rows ? 0.25f * (at[-SIDE] + at[SIDE] + at[-1] + at[1]) : 0.0f;
            }
        }
        __syncwarp();
        meet_neighbours(warp);
        float *const was = now;
        now = next, next = was;
    }

    for (int r = max(first, 8); r < min(first + ROWS, SIDE - 8); r++)
        for (int c = lane; c < SIDE; c += 32)
            if (c >= 8 && c < SIDE - 8 && y0 + r < rows && x0 + c < cols)
                out[(y0 + r) * cols + x0 + c] = now[r * SIDE + c];
}
