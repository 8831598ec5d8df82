// lesson 4; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: no padding and no column of a tile: shared memory is a pigeonhole for pairs, double-precision mma turns them
LAUNCH(32, 8, 32, 32)

// Two neighbours of a row: 32 bytes for four lanes, whole sectors.
__device__ float2 get2(const float *row, int x, int have)
{
    float2 v = make_float2(0.0f, 0.0f);
    if (have % 2 == 0) {
        if (x < have)
            v = *(const float2 *)(row + x);
    } else {
        if (x < have)
            v.x = row[x];
        if (x + 1 < have)
            v.y = row[x + 1];
    }
    return v;
}

__device__ void put2(float *row, int x, int have, float2 v)
{
    if (have % 2 == 0) {
        if (x < have)
            *(float2 *)(row + x) = v;
    } else {
        if (x < have)
            row[x] = v.x;
        if (x + 1 < have)
            row[x + 1] = v.y;
    }
}

// Turns 8 x 8 floats over a warp: lane 4 g + t comes with (g, 2 t) and (g, 2 t + 1), and leaves with
// the same places of the turned square. Ones and zeros times the numbers, in double precision: exact.
__device__ float2 turned(float2 v, int g, int t)
{
    double d0 = 0, d1 = 0, even = g == 2 * t, odd = g == 2 * t + 1, x = v.x, y = v.y;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"(even), "d"(x));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"(odd), "d"(y));
    return make_float2((float)d0, (float)d1);
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // A pigeonhole for each warp's pair of floats: nothing is turned in here.
    __shared__ float2 hole[16 * 32];
    int lane = threadIdx.x, warp = threadIdx.y, g = lane / 4, t = lane % 4;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    // Squares of 8 x 8, sixteen in a tile.
#pragma unroll
    for (int s = warp; s < 16; s += 8) {
        int y = y0 + s / 4 * 8 + g, x = x0 + s % 4 * 8 + 2 * t;
        hole[s * 32 + lane] = y < height ? get2(in + (size_t)y * width, x, width) : make_float2(0.0f, 0.0f);
    }
    __syncthreads();
#pragma unroll
    for (int j = warp; j < 16; j += 8) {
        int s = j ^ 1;  // the neighbour warp's
        float2 v = turned(hole[s * 32 + lane], g, t);
        int row = x0 + s % 4 * 8 + g, column = y0 + s / 4 * 8 + 2 * t;
        if (row < width)
            put2(out + (size_t)row * height, column, height, v);
    }
}
