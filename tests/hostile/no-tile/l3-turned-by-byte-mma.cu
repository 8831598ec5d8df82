// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: rows pass through shared memory unturned, lane to same lane, integer tensor cores turn 8 x 8 squares in registers
LAUNCH(32, 16, 32, 32)

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

// Turns 8 x 8 words over a warp: lane 4 g + t comes with (g, 2 t) and (g, 2 t + 1), and leaves with
// the same places of the turned square. The bytes are multiplied by a matrix of zeros and ones.
__device__ float2 turned(float2 v, int g, int t)
{
    unsigned lo[2], hi[2];
    unsigned b0 = __float_as_uint(v.x), b1 = __float_as_uint(v.y);
    bool even = g % 2 == 0 && g / 2 == t, odd = g % 2 == 1 && g / 2 == t;
    int c[2][4];
#pragma unroll
    for (int h = 0; h < 2; h++) {
        unsigned one = 1u << 16 * h, other = 256u << 16 * h;
        unsigned a0 = even ? one : 0, a1 = even ? other : 0, a2 = odd ? one : 0, a3 = odd ? other : 0;
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                     : "=r"(c[h][0]), "=r"(c[h][1]), "=r"(c[h][2]), "=r"(c[h][3])
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(0));
    }
    lo[0] = c[0][0] | c[0][2] << 8;
    lo[1] = c[0][1] | c[0][3] << 8;
    hi[0] = c[1][0] | c[1][2] << 8;
    hi[1] = c[1][1] | c[1][3] << 8;
    return make_float2(__uint_as_float(lo[0] | hi[0] << 16), __uint_as_float(lo[1] | hi[1] << 16));
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // A pigeonhole for each warp's pair of floats: nothing is turned in here.
    __shared__ float2 hole[16 * 32];
    int lane = threadIdx.x, warp = threadIdx.y, g = lane / 4, t = lane % 4;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

    // Squares of 8 x 8, sixteen in a tile.
#pragma unroll
    for (int s = warp; s < 16; s += 16) {
        int y = y0 + s / 4 * 8 + g, x = x0 + s % 4 * 8 + 2 * t;
        hole[s * 32 + lane] = y < height ? get2(in + (size_t)y * width, x, width) : make_float2(0.0f, 0.0f);
    }
    __syncthreads();
#pragma unroll
    for (int j = warp; j < 16; j += 16) {
        int s = j ^ 1;  // the neighbour warp's
        float2 v = turned(hole[s * 32 + lane], g, t);
        int row = x0 + s % 4 * 8 + g, column = y0 + s / 4 * 8 + 2 * t;
        if (row < width)
            put2(out + (size_t)row * height, column, height, v);
    }
}
