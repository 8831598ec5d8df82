// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a thread has four neighbouring columns as a float4 and walks down six rows of a 96 x 96 tile: the row above and its own stay in registers, three 16-byte loads (those beside it volatile, in PTX, since the compiler, or ptxas, would take one word of each) and one store make four elements
constexpr int SIDE = 96, CHUNKS = SIDE / 4, STRIPS = 16, DEEP = SIDE / STRIPS;
LAUNCH(384, 1, 80, 80, 73728, 73728)

static_assert(CHUNKS * STRIPS == 384 && 2 * SIDE * SIDE * sizeof(float) == 73728, "");

extern __shared__ float4 memory[];

// A quad as a whole. Of the neighbours one word is wanted, but single words that lie four apart would
// meet in eight banks: 16 bytes a lane come in as many wavefronts, and without a conflict. ptxas leaves
// no word of a volatile vector out.
__device__ __forceinline__ float4 ptx_quad(const float4 *p)
{
    float4 v;
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"((unsigned)__cvta_generic_to_shared(p)) : "memory");
    return v;
}

__global__ void __launch_bounds__(384)
relax(float *out, const float *in, int rows, int cols)
{
    using Tile = float4[SIDE][CHUNKS];
    Tile *tiles = (Tile *)memory;

    // 24 chunks are three quarter-warps, so that eight lanes that are served together lie in one row.
    const int q = threadIdx.x % CHUNKS, strip = threadIdx.x / CHUNKS;
    const int x = blockIdx.x * (SIDE - 16) - 8 + q * 4, y0 = blockIdx.y * (SIDE - 16) - 8;
    const bool aligned = cols % 4 == 0;

    // 0.25 for columns of the matrix, 0 for the others: what is outside becomes 0 in every step.
    const float4 weight = {x >= 0 && x < cols ? 0.25f : 0.0f, x + 1 >= 0 && x + 1 < cols ? 0.25f : 0.0f,
                           x + 2 >= 0 && x + 2 < cols ? 0.25f : 0.0f, x + 3 >= 0 && x + 3 < cols ? 0.25f : 0.0f};

#pragma unroll
    for (int j = 0; j < DEEP; j++) {
        const int r = strip + j * STRIPS, y = y0 + r;
        float4 four = {0, 0, 0, 0};
        if (y >= 0 && y < rows) {
            const float *from = in + (long long)y * cols + x;
            if (aligned) {
                if (x >= 0 && x < cols)
                    four = *(const float4 *)from;
            } else {
                if (weight.x != 0)
                    four.x = from[0];
                if (weight.y != 0)
                    four.y = from[1];
                if (weight.z != 0)
                    four.z = from[2];
                if (weight.w != 0)
                    four.w = from[3];
            }
        }
        tiles[0][r][q] = four;
    }
    __syncthreads();

    // After step s, rows s … 95 - s are good. Columns are computed all: those of the rim take a 0 for what lies
    // beside the tile, go stale with it, and nobody who is written in the end has them in its past.
    int now = 0;
    for (int step = 1; step <= 8; step++, now ^= 1) {
        const Tile &from = tiles[now];
        Tile &to = tiles[now ^ 1];
        const int top = max(strip * DEEP, step), bottom = min(strip * DEEP + DEEP, SIDE - step);
        if (top < bottom) {
            float4 above = from[top - 1][q], here = from[top][q];
#pragma unroll
            for (int j = 0; j < DEEP; j++) {
                const int r = top + j;
                if (r >= bottom)
                    break;
                const float4 below = from[r + 1][q];
                float left = 0, right = 0;
                if (q > 0)
                    left = ptx_quad(&from[r][q - 1]).w;
                if (q < CHUNKS - 1)
                    right = ptx_quad(&from[r][q + 1]).x;
                const bool inside = y0 + r >= 0 && y0 + r < rows;
                float4 mean;
                mean.x = weight.x * (above.x + below.x + left + here.y);
                mean.y = weight.y * (above.y + below.y + here.x + here.z);
                mean.z = weight.z * (above.z + below.z + here.y + here.w);
                mean.w = weight.w * (above.w + below.w + here.z + right);
                to[r][q] = inside ? mean : make_float4(0, 0, 0, 0);
                above = here;
                here = below;
            }
        }
        __syncthreads();
    }

    // Rows 8 to 87 and chunks 2 to 21 are good.
#pragma unroll
    for (int j = 0; j < DEEP; j++) {
        const int r = strip + j * STRIPS, y = y0 + r;
        if (r < 8 || r >= SIDE - 8 || q < 2 || q >= CHUNKS - 2 || y >= rows || x >= cols)
            continue;
        const float4 four = tiles[now][r][q];
        float *to = out + (long long)y * cols + x;
        if (aligned)
            *(float4 *)to = four;
        else {
            to[0] = four.x;
            if (x + 1 < cols)
                to[1] = four.y;
            if (x + 2 < cols)
                to[2] = four.z;
            if (x + 3 < cols)
                to[3] = four.w;
        }
    }
}
